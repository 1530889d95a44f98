import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { askParameterOf, type Roll, type RollSeen, readRoll } from '../../../shared/roll/roll.ts';
import { operatorOf } from '../operator.ts';
import { askedRolls, changeTemplate, paths, putSeen, turnRollsOn } from './support.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 0, MaxSize: 5 } });
  turnRollsOn(world);
  changeTemplate(world);
});

/** What a command came to: its exit code and its last line. */
async function drover(line: string): Promise<readonly [number, string]> {
  const { code, out, err } = await operatorOf(world)(line);
  return [code, (err || out).trimEnd().split('\n').at(-1) ?? ''];
}

async function asked(name = 'workers'): Promise<Roll> {
  const reading = readRoll((await parametersOf(world).read(askParameterOf(paths, name))) ?? '', name);
  if (reading.kind === 'unreadable') throw new Error(reading.why);
  return reading.value;
}

async function see(state: RollSeen['state'], name = 'workers'): Promise<void> {
  const { startedAt } = await asked(name);
  await putSeen(world, name, { startedAt, state, reason: 'because', since: world.clock.now(), told: [] });
}

describe('a command of a roll that is given twice', () => {
  it('changes something once, and says so the second time', async () => {
    expect(await drover('roll workers')).toEqual([0, expect.stringContaining('roll workers has begun')]);
    const begun = await asked();
    await world.timeline.pass(5);
    expect(await drover('roll workers')).toEqual([1, 'drover: the roll cannot begin because of workers']);
    expect(await asked()).toEqual(begun);
    await see('running');
    expect(await drover('roll resume workers')).toEqual([0, 'roll workers: it runs']);
    for (const [kind, second] of [
      ['pause', 'roll workers: it is paused'],
      ['resume', 'roll workers: it runs'],
      ['abort', 'roll workers: it is being aborted'],
    ] as const) {
      expect((await drover(`roll ${kind} workers`))[0]).toBe(0);
      const once = await asked();
      await world.timeline.pass(5);
      expect(await drover(`roll ${kind} workers`)).toEqual([0, second]);
      expect(await asked()).toEqual(once);
    }
  });
});

describe('a command of a roll in the wrong order', () => {
  it.each([
    'pause workers',
    'resume workers',
    'resume workers --retarget',
    'abort workers',
    'status workers',
  ])('%s finds no roll before one has begun', async (command) => {
    expect(await drover(`roll ${command}`)).toEqual([1, 'drover: there is no roll workers']);
    expect(askedRolls(world)).toEqual([]);
  });

  it('changes nothing of a roll that is being aborted, or has ended', async () => {
    await drover('roll workers');
    await see('running');
    await drover('roll abort workers');
    const aborted = await asked();
    for (const command of ['pause workers', 'resume workers', 'resume workers --retarget'])
      expect(await drover(`roll ${command}`)).toEqual([
        1,
        expect.stringMatching(/^drover: roll workers does not (?:pause|resume): it is being aborted$/),
      ]);
    expect(await asked()).toEqual(aborted);
    await see('done');
    for (const kind of ['pause', 'resume'])
      expect(await drover(`roll ${kind} workers`)).toEqual([
        1,
        `drover: roll workers does not ${kind}: it has ended: because`,
      ]);
    expect(await drover('roll abort workers')).toEqual([0, 'roll workers: it has ended: because']);
    expect(await asked()).toEqual(aborted);
  });
});

describe('a roll whose name is like that of another one', () => {
  it('is found only by its whole name, in its own capitals', async () => {
    await drover('roll workers --name june');
    await see('running', 'june');
    await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
    await drover('roll others --everything --name June.1');
    await see('running', 'June.1');
    for (const name of ['jun', 'June', 'june.1', 'JUNE', 'June.', 'june-'])
      expect(await drover(`roll abort ${name}`)).toEqual([
        1,
        `drover: there is no roll ${name}: there is June.1, june`,
      ]);
    expect(await drover('roll abort june')).toEqual([0, expect.stringMatching(/^roll june ends/)]);
    expect([(await asked('june')).wanted, (await asked('June.1')).wanted]).toEqual(['aborted', 'run']);
  });
});
