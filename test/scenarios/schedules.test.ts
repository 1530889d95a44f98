import { describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { boundsOf, holdParameters, serving } from '../../local/world/holds.ts';
import { operatorOf } from '../cli/operator.ts';

const minute = 60;

async function scheduledWorld(...words: readonly string[]) {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  const drover = operatorOf(world);
  const { code, err } = await drover(['schedule', 'create', 'workers', '3', '--name', 'morning', ...words]);
  expect([code, err]).toEqual([0, '']);
  const until = (time: string) => world.timeline.pass((Date.parse(time) - world.clock.now()) / 1000);
  return { world, drover, until };
}

describe('a schedule', () => {
  it('has its nodes Ready at its time, and gives MinSize back at the end', async () => {
    const { world, until } = await scheduledWorld(
      '--at',
      '2026-01-05T12:00:00',
      '--for',
      '1h',
      '--lead',
      '10m',
    );
    await until('2026-01-05T11:49:00Z');
    expect(boundsOf(world).minSize).toBe(1);
    await until('2026-01-05T12:00:00Z');
    expect(boundsOf(world).minSize).toBe(3);
    expect(serving(world)).toBe(3);
    expect(holdParameters(world)).toContain('/drover/drover/holds/workers/morning.20260105T1200Z');
    await until('2026-01-05T13:10:00Z');
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 3 });
    expect(holdParameters(world)).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  it('starts prewarm at its time itself, with the role that its group names', async () => {
    const { world, until } = await scheduledWorld(
      '--at',
      '2026-01-05T12:00:30',
      '--for',
      '1h',
      '--lead',
      '0',
    );
    await until('2026-01-05T12:00:10Z');
    const looks = () =>
      world.lines.filter(
        ({ functionName, message }) => functionName.endsWith('prewarm') && message === 'look',
      ).length;
    const before = looks();
    await world.timeline.pass(25);
    expect(looks()).toBe(before + 1);
    expect(holdParameters(world)).toContain('/drover/drover/holds/workers/morning.20260105T1200Z');
    expect(world.problems).toEqual([]);
    await world.timeline.pass(5 * minute);
    expect(serving(world)).toBe(3);
  });

  it('does not create a hold again that an operator has ended, and creates the hold of its next time', {}, async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
    const drover = operatorOf(world);
    const words = ['--cron', '0 12 * * ? *', '--for', '2h', '--lead', '10m'];
    await drover(['schedule', 'create', 'workers', '3', '--name', 'noon', ...words]);
    const until = (time: string) => world.timeline.pass((Date.parse(time) - world.clock.now()) / 1000);
    await until('2026-01-05T12:10:00Z');
    expect(boundsOf(world).minSize).toBe(3);
    const { code, out } = await drover(['hold', 'end', 'workers', 'noon.20260105T1200Z']);
    expect([code, out]).toEqual([
      0,
      'ended hold noon.20260105T1200Z of workers; MinSize follows within minutes; its schedule continues with its next time: drover schedule pause noon stops it\n',
    ]);
    expect(await drover(['hold', 'extend', 'workers', 'noon.20260105T1200Z', '--for', '3h'])).toMatchObject({
      code: 1,
      err: 'drover: hold noon.20260105T1200Z of workers was ended early, and its schedule does not create it again: create another one with another --name\n',
    });
    for (let left = 0; left < 100; left += 1) {
      await world.timeline.pass(minute);
      if (left > 5) expect(boundsOf(world).minSize).toBe(1);
    }
    expect((await drover(['hold', 'list'])).out).toContain('ended early');
    await until('2026-01-05T14:10:00Z');
    expect(holdParameters(world)).toEqual([]);
    await until('2026-01-06T12:00:00Z');
    expect(boundsOf(world).minSize).toBe(3);
    expect(world.problems).toEqual([]);
  });
});
