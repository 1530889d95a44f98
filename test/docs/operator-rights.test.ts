import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { operatorOf } from '../cli/operator.ts';
import { startUi } from '../cli/ui/start-ui.ts';
import { withSender } from '../support/wiring.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');

/** The IAM actions of this command in the table, with those of the first row, which all commands need. */
function actionsFor(command: string): readonly string[] {
  const rows = text.split('\n').filter((line) => line.includes('`autoscaling:') || line.includes('`sqs:'));
  const row = rows.find((line) => line.split('|')[1]?.includes(`\`${command}\``)) ?? '';
  return [...`${rows[0]}${row}`.matchAll(/`([a-z0-9]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
}

const worldWithWorkers = async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  return world;
};

describe('with no more rights than docs/cli.md asks for', () => {
  it.each([
    ['status', 'status'],
    ['hooks', 'pause --dry-run'],
    ['hooks', 'hooks'],
    ['hooks', 'hooks install workers --dry-run'],
    ['pause', 'pause workers'],
    ['hooks install', 'hooks install workers'],
    ['hooks remove', 'hooks remove workers'],
  ])('of `%s`, `drover %s` works', async (command, line) => {
    const run = operatorOf(await worldWithWorkers(), { actions: actionsFor(command) });
    expect(await run(line)).toMatchObject({ code: 0, err: '' });
  });

  it('of `report`, `drover report` reads everything', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `report` |')) ?? '';
    const actions = [...row.matchAll(/`([a-z]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const world = await worldWithWorkers();
    await world.timeline.pass(120);
    expect(await operatorOf(world, { actions })('report --since 2m')).toMatchObject({ code: 0, err: '' });
  });

  it('of `doctor`, `drover doctor` reads everything', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `doctor` |')) ?? '';
    const others = [...row.matchAll(/`([a-z0-9]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const run = operatorOf(await worldWithWorkers(), { actions: [...actionsFor('status'), ...others] });
    expect((await run('doctor --all')).out).not.toContain('unknown');
  });

  it('of `redrive`, `drover redrive` works for the operator role', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `redrive` |')) ?? '';
    const actions = [...row.matchAll(/`([a-z]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const world = createDroverWorld({ editWiring: withSender('arn:aws:iam::123456789012:user/ana') });
    const { controls } = world.account.sqs;
    controls.send(controls.queueNames().find((name) => name.includes('-InboxDeadLetterQueue')) ?? '', {
      MessageBody: '{}',
    });
    const run = operatorOf(world, { actions, pause: () => Promise.resolve() });
    for (const line of ['redrive --dry-run', 'redrive'])
      expect(await run(line)).toMatchObject({ code: 0, err: '' });
  });

  it('of `test-alarm`, `drover test-alarm` works', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `test-alarm` |')) ?? '';
    const actions = [...row.matchAll(/`([a-z]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const world = createDroverWorld();
    world.alarms.start();
    await world.timeline.pass(61);
    const run = operatorOf(world, { actions });
    for (const line of ['test-alarm', 'test-alarm undelivered --yes'])
      expect(await run(line)).toMatchObject({ code: 0, err: '' });
  });

  it('of `trial`, `drover trial` passes', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `trial` |')) ?? '';
    const actions = [...row.matchAll(/`([a-z]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const world = createDroverWorld();
    await withWorkers(world, { size: 1, settings: { MaxSize: 2 } });
    const run = operatorOf(world, { actions: [...actionsFor('hooks'), ...actions] });
    expect(await run('trial workers --yes')).toMatchObject({ code: 0, err: '' });
  });

  it('of `events`, `drover events` works', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `events` |')) ?? '';
    const actions = [...row.matchAll(/`([a-z]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const run = operatorOf(await worldWithWorkers(), { actions });
    for (const line of ['events', 'events --group workers'])
      expect(await run(line)).toMatchObject({ code: 0, err: expect.not.stringContaining('drover:') });
  });

  it('of `ui`, `drover ui` reads everything', async () => {
    const row = text.split('\n').find((line) => line.startsWith('| `ui` |')) ?? '';
    const own = [...row.matchAll(/`([a-z0-9]+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const world = await worldWithWorkers();
    await operatorOf(world)('hold create workers 2 --for 30m');
    const ui = await startUi(world, 'ui', { actions: [...actionsFor('status'), ...own] });
    expect((await ui.state()).unknown).toEqual([]);
  });

  it('`drover resume` works', async () => {
    const run = operatorOf(await worldWithWorkers(), { actions: actionsFor('resume') });
    await run('pause workers');
    expect(await run('resume workers')).toMatchObject({ code: 0, err: '' });
  });

  it('`drover pause` fails for a read-only operator with an explanation', async () => {
    const run = operatorOf(await worldWithWorkers(), { actions: actionsFor('status') });
    expect(await run('pause workers')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/workers: .*not authorized to perform: autoscaling:CreateOrUpdateTags/),
    });
  });
});
