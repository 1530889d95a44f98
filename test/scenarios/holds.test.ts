import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, holdParameters, paths, putHold, serving } from '../../local/world/holds.ts';

const minute = 60;

async function workersIn(options: DroverWorldOptions = {}): Promise<DroverWorld> {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  return world;
}

describe('a hold', () => {
  it('has its nodes within minutes, and afterwards MinSize is what it was; nothing is terminated for it', async () => {
    const world = await workersIn();
    putHold(world, { nodes: 3, minutes: 30 });
    await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
    await world.timeline.pass(minute);
    const lastLook = () =>
      world.lines.findLast(({ functionName, message }) => functionName === 'prewarm' && message === 'look');
    expect(lastLook()?.['held']).toEqual([
      {
        group: 'workers',
        base: 1,
        asked: 3,
        maxSize: 5,
        instances: 3,
        inService: 3,
        holds: [{ name: 'morning', nodes: 3 }],
      },
    ]);
    expect(boundsOf(world)).toEqual({ minSize: 3, maxSize: 5, desiredCapacity: 3 });
    await world.timeline.pass(40 * minute);
    expect(lastLook()).not.toHaveProperty('held');
    expect(boundsOf(world)).toEqual({ minSize: 1, maxSize: 5, desiredCapacity: 3 });
    expect(serving(world)).toBe(3);
    expect(holdParameters(world)).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  it('raises MaxSize if it says so, and MaxSize comes down once the desired capacity fits', async () => {
    const world = await workersIn();
    putHold(world, { nodes: 7, minutes: 10, raiseMaxSize: true });
    await world.timeline.until(() => serving(world) === 7, { withinSeconds: 300, what: 'the nodes' });
    await world.timeline.pass(30 * minute);
    expect(boundsOf(world)).toEqual({ minSize: 1, maxSize: 7, desiredCapacity: 7 });
    expect(serving(world)).toBe(7);
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 4,
    });
    await world.timeline.pass(10 * minute);
    expect(boundsOf(world)).toEqual({ minSize: 1, maxSize: 5, desiredCapacity: 4 });
    expect(holdParameters(world)).toEqual([]);
  });

  it('is released by the first run after a two-day outage', {}, async () => {
    let away = false;
    const strike = ({ caller }: CallInFlight): Strike | undefined =>
      away && caller === 'prewarm' ? { kind: 'fail-before' } : undefined;
    const world = await workersIn({ weather: { strike } });
    putHold(world, { nodes: 3, minutes: 60 });
    await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
    await world.timeline.pass(5 * minute);
    away = true;
    await world.timeline.pass(48 * 60 * minute);
    expect(boundsOf(world).minSize).toBe(3);
    away = false;
    await world.timeline.pass(3 * minute);
    expect(boundsOf(world).minSize).toBe(1);
  });

  it('whose parameter is under another name than Drover reads is a problem', async () => {
    const world = await workersIn();
    world.account.ssm.operations.PutParameter(
      { Name: `${paths.holds}/my_group/sale`, Value: '{}', Type: 'String' },
      { principal: world.account.operator, requestId: 'test' },
    );
    await world.timeline.pass(2 * minute);
    const said = world.lines.filter(({ functionName }) => functionName === 'prewarm');
    expect(said).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('my_5Fgroup') }),
    );
    expect(said).toContainEqual(expect.objectContaining({ message: 'look', problems: 1 }));
    expect(said).toContainEqual(expect.objectContaining({ HoldProblems: 1, HoldLooks: 1 }));
  });

  it('whose group cannot be sent to its pass makes the run fail, and the next run sends it', async () => {
    const strike = ({ caller, what }: CallInFlight): Strike | undefined =>
      away && caller === 'prewarm' && what.startsWith('sqs Send') ? { kind: 'fail-before' } : undefined;
    let away = true;
    const world = await workersIn({ weather: { strike } });
    putHold(world, { nodes: 2, minutes: 30 });
    await world.timeline.pass(2 * minute);
    const looks = () => world.lines.filter((line) => 'HoldLooks' in line).length;
    const before = looks();
    await world.timeline.pass(2 * minute);
    expect(looks()).toBe(before);
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        functionName: 'prewarm',
        level: 'error',
        message: 'the pass of a group was not started, and the next scan tries again',
        group: 'workers',
      }),
    );
    expect(world.problems).toEqual([]);
    away = false;
    await world.timeline.until(() => serving(world) === 2, { withinSeconds: 300, what: 'the node' });
  });

  it('of a paused group waits until the pause has ended', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1, tags: { 'drover.dev/paused': 'by=ana' } });
    putHold(world, { nodes: 2, minutes: 60 });
    await world.timeline.pass(10 * minute);
    expect(serving(world)).toBe(1);
    world.account.autoScaling.operations.DeleteTags({
      Tags: [{ ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'drover.dev/paused' }],
    });
    await world.timeline.until(() => serving(world) === 2, { withinSeconds: 300, what: 'the node' });
  });
});

type StrikeKind = 'fail-before' | 'fail-after' | 'kill-after' | 'hang-before';

/** Lets a hold begin and end while the nth call fails; returns whether that call was made. */
async function holdWith(nth: number, kind: StrikeKind): Promise<boolean> {
  let seen = 0;
  const strike = ({ caller }: CallInFlight): Strike | undefined => {
    if (caller !== 'prewarm') return undefined;
    seen += 1;
    return seen === nth ? { kind } : undefined;
  };
  const world = await workersIn({ weather: { strike } });
  seen = 0;
  const what = `after ${kind} of call ${nth}`;
  putHold(world, { nodes: 3, minutes: 10 });
  await world.timeline.until(() => serving(world) === 3, { withinSeconds: 500, what: `the nodes ${what}` });
  await world.timeline.until(() => boundsOf(world).minSize === 1 && holdParameters(world).length === 0, {
    withinSeconds: 30 * minute,
    what: `the base ${what}`,
  });
  return seen >= nth;
}

/** The calls of the runs around every change. Later calls repeat them. */
const struckCalls = 12;

it.each(['fail-before', 'fail-after', 'kill-after', 'hang-before'] as const)(
  'a hold has its nodes and the base comes back when any one call of prewarm meets %s',
  async (kind) => {
    for (let nth = 1; nth <= struckCalls; nth += 1) expect(await holdWith(nth, kind)).toBe(true);
  },
);
