import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, parametersOf, paths, putHold, serving } from '../../local/world/holds.ts';
import { listenForPeople } from '../support/people.ts';

const minute = 60;

async function workersIn(options: DroverWorldOptions = {}) {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 8 } });
  const received = listenForPeople(world);
  const unmet = () => received().filter(({ detail }) => detail.kind === 'hold-unmet');
  const untilServing = (count: number) =>
    world.timeline.until(() => serving(world) === count, { withinSeconds: 900, what: `${count} nodes` });
  return { world, unmet, untilServing };
}

/** Whether AWS has instances of the type of the workers. */
function setCapacity({ account }: DroverWorld, available: boolean): void {
  for (const { availabilityZone } of account.ec2.instances.subnets())
    account.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available });
}

/** Two instances end, and AWS has no others. */
function loseTwo(world: DroverWorld): void {
  setCapacity(world, false);
  for (const { InstanceId = '' } of membersOf(world).slice(0, 2))
    world.account.ec2.accidents.kill(InstanceId);
}

/** The lines of prewarm that report a lost record. */
const claimsOfLoss = (world: DroverWorld): readonly string[] =>
  world.lines.flatMap(({ functionName, message }) =>
    functionName === 'prewarm' && String(message).includes('was lost') ? [String(message)] : [],
  );

describe('a hold that lacks nodes', () => {
  it('is not reported for a higher hold whose nodes are launching, on several hours of a day', async () => {
    const { world, unmet } = await workersIn();
    putHold(world, { nodes: 2, minutes: 10 * 60, name: 'all-day' });
    for (const nodes of [3, 6, 8]) {
      await world.timeline.pass(50 * minute);
      putHold(world, { nodes, minutes: 25, name: `with-${nodes}` });
      await world.timeline.pass(8 * minute);
      expect(serving(world)).toBe(nodes);
    }
    expect(unmet()).toEqual([]);
  });

  it('is not reported while one node is replaced', async () => {
    const { world, unmet, untilServing } = await workersIn();
    putHold(world, { nodes: 3, minutes: 300 });
    await untilServing(3);
    await world.timeline.pass(40 * minute);
    const [lost] = membersOf(world);
    world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId: lost?.InstanceId ?? '',
      ShouldDecrementDesiredCapacity: false,
    });
    await world.timeline.pass(15 * minute);
    expect(serving(world)).toBe(3);
    expect(unmet()).toEqual([]);
  });

  it('is reported for each lack that lasts, also for a second one within the same hour', async () => {
    const { world, unmet, untilServing } = await workersIn();
    putHold(world, { nodes: 4, minutes: 600 });
    await untilServing(4);
    await world.timeline.pass(20 * minute);
    for (const pause of [22, 30]) {
      loseTwo(world);
      await world.timeline.pass(pause * minute);
      setCapacity(world, true);
      await untilServing(4);
      await world.timeline.pass(3 * minute);
    }
    expect(unmet()).toHaveLength(2);
    expect(new Set(unmet().map(({ detail }) => detail.id)).size).toBe(2);
    const [first, second] = unmet().map(({ detail }) => Date.parse(detail.id.split('/').at(-1) ?? ''));
    expect(((second ?? Number.NaN) - (first ?? Number.NaN)) / 60_000).toBeLessThan(60);
  });

  it('is reported once for as long as it lacks nodes', async () => {
    const { world, unmet, untilServing } = await workersIn();
    putHold(world, { nodes: 4, minutes: 600 });
    await untilServing(4);
    await world.timeline.pass(70 * minute);
    loseTwo(world);
    await world.timeline.pass(12 * minute);
    expect(unmet()).toEqual([]);
    await world.timeline.pass(200 * minute);
    expect(unmet().map(({ detail }) => detail.message)).toEqual([
      'drover: group workers lacks capacity: the holds ask for 4 nodes, and 2 are in service',
    ]);
  });
});

describe('a record of the floor', () => {
  it('that is deleted is reported, however the hold was made', async () => {
    const { world, untilServing } = await workersIn();
    const until = new Date(world.clock.now() + 90 * minute * 1000).toISOString();
    await parametersOf(world).write(
      `${paths.holds}/workers/by-hand`,
      JSON.stringify({ version: 1, nodes: 3, until }),
    );
    await untilServing(3);
    await world.timeline.pass(3 * minute);
    expect(claimsOfLoss(world)).toEqual([]);
    await parametersOf(world).remove(`${paths.floors}/workers`);
    await world.timeline.pass(3 * minute);
    expect(claimsOfLoss(world)).not.toEqual([]);
    expect(boundsOf(world).minSize).toBe(3);
  });

  const pause = {
    ResourceId: 'workers',
    ResourceType: 'auto-scaling-group',
    Key: 'drover.dev/paused',
    Value: 'by=ana',
    PropagateAtLaunch: false,
  };

  it.each([
    [
      'the group was paused',
      (world: DroverWorld) => void world.account.autoScaling.operations.CreateOrUpdateTags({ Tags: [pause] }),
      (world: DroverWorld) => void world.account.autoScaling.operations.DeleteTags({ Tags: [pause] }),
    ],
    ['Drover was away', undefined, undefined],
  ])('that was never there is not called lost, if %s when the hold was made', async (_, begin, end) => {
    let isAway = false;
    const strike = ({ caller }: CallInFlight): Strike | undefined =>
      isAway && caller === 'prewarm' ? { kind: 'fail-before' } : undefined;
    const { world, untilServing } = await workersIn({ weather: { strike } });
    if (begin) begin(world);
    else isAway = true;
    putHold(world, { nodes: 3, minutes: 90 });
    await world.timeline.pass(25 * minute);
    expect(boundsOf(world).minSize).toBe(1);
    if (end) end(world);
    else isAway = false;
    await untilServing(3);
    await world.timeline.pass(30 * minute);
    expect(claimsOfLoss(world)).toEqual([]);
    await world.timeline.pass(60 * minute);
    expect(boundsOf(world).minSize).toBe(1);
  });
});
