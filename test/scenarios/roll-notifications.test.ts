import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { newVersion, putRoll, seenOf } from '../../local/world/rolls.ts';
import { deployment, run } from '../../local/world/workloads.ts';
import type { Roll } from '../../shared/roll/roll.ts';
import { listenForPeople } from '../support/people.ts';

const minute = 60;

/** Three workers with pods, and a roll of them to a new version. */
async function rollingWorld(roll: Partial<Roll> = {}) {
  const world = createDroverWorld();
  const received = listenForPeople(world);
  await withWorkers(world, { size: 3, settings: { MaxSize: 3 } });
  await run(world, deployment({ name: 'web', replicas: 6 }));
  const target = newVersion(world, 'ami-0000000000000new0');
  putRoll(world, { workers: target }, { bakeSeconds: minute, ...roll });
  const ofRoll = () =>
    received().flatMap(({ detail }) => (detail.kind.startsWith('roll-') ? [detail.message] : []));
  return { world, ofRoll };
}

const until = (world: DroverWorld, state: string) =>
  world.timeline.until(() => seenOf(world)?.state === state, {
    withinSeconds: 60 * minute,
    what: `a roll that is ${state}`,
  });

describe('people are notified', () => {
  it('once that a roll has begun, that its canary serves and that it is done', async () => {
    const { world, ofRoll } = await rollingWorld();
    await until(world, 'done');
    await world.timeline.pass(5 * minute);
    expect(ofRoll()).toEqual([
      'drover: roll june of group workers has begun, and replaces 3 nodes',
      'drover: the canary of roll june serves in group workers, and 2 old nodes follow',
      'drover: roll june of group workers is done',
    ]);
  });

  it('once that a roll is held by another template', async () => {
    const { world, ofRoll } = await rollingWorld();
    await world.timeline.pass(2 * minute);
    newVersion(world, 'ami-0000000000000new1');
    await until(world, 'paused');
    await world.timeline.pass(5 * minute);
    expect(ofRoll().at(-1)).toContain(
      'roll june of group workers is held: what workers launches has changed',
    );
    expect(ofRoll()).toHaveLength(2);
  });

  it('once that a roll has stopped, because its alarm is raised', async () => {
    const { world, ofRoll } = await rollingWorld({ stopOn: ['drover-dev-sweep-errors'] });
    await world.timeline.pass(2 * minute);
    world.account.monitoring.operations.SetAlarmState({
      AlarmName: 'drover-dev-sweep-errors',
      StateValue: 'ALARM',
      StateReason: 'a test',
    });
    await until(world, 'stopped');
    await world.timeline.pass(5 * minute);
    expect(ofRoll().at(-1)).toMatch(
      /roll june of group workers has stopped, with \d old nodes left: the alarm/,
    );
    expect(ofRoll()).toHaveLength(2);
  });
});
