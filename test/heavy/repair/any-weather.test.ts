import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { deployment, run } from '../../../local/world/workloads.ts';
import { nodeObjectOf } from '../../support/observed-instance.ts';
import { shareOf } from '../share.ts';

const seeds = Array.from({ length: 8 }, (_, index) => index + 1);
const size = 8;
const minute = 60_000;
const tags = { 'drover.dev/repair': 'NotReady=5m' };

interface Repair {
  readonly instanceId: string;
  readonly from: number;
  readonly to: number;
}

/** The replacements that SetInstanceHealth caused in a group, from the activities of Auto Scaling. */
const repairsIn = ({ account, clock }: DroverWorld): readonly Repair[] =>
  account.autoScaling.operations
    .DescribeScalingActivities({ AutoScalingGroupName: 'workers', MaxRecords: 100 })
    .Activities.filter(({ Cause = '' }) => Cause.includes('user health-check'))
    .map(({ Description = '', StartTime, EndTime }) => ({
      instanceId: Description.replace(/.*: /, ''),
      from: StartTime?.getTime() ?? 0,
      to: EndTime?.getTime() ?? clock.now(),
    }))
    .toSorted((one, other) => one.from - other.from);

/** Since when the Node of an instance has not been Ready, in truth; undefined: it is, or is not there. */
function silentSince(world: DroverWorld, instanceId: string): number | undefined {
  const ready = nodeObjectOf(world, instanceId)?.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True'
    ? undefined
    : Date.parse(ready.lastTransitionTime ?? '');
}

/** Five hours of a group whose kubelets die and hang, while people scale and terminate, events are lost and calls fail. */
async function live(seed: number) {
  const dice = createRandom(seed);
  let hasBegun = false;
  const sentFor: (readonly (number | undefined)[])[] = [];
  const kinds = [
    'fail-before',
    'fail-after',
    'hang-before',
    'hang-after',
    'kill-before',
    'kill-after',
  ] as const;
  const strike = ({ caller, what }: CallInFlight): Strike | undefined => {
    if (what === 'autoscaling SetInstanceHealth')
      sentFor.push(
        membersOf(world).map(({ InstanceId = '' }) => {
          const since = silentSince(world, InstanceId);
          return since === undefined ? undefined : world.clock.now() - since;
        }),
      );
    if (!hasBegun || !['sweep', 'node-leaving'].includes(caller) || dice.next() > 0.05) return undefined;
    return { kind: dice.pick(kinds) };
  };
  const world: DroverWorld = createDroverWorld({
    seed,
    weather: { strike, staleSeconds: () => (hasBegun ? 60 : 0) },
    duplicateChance: 0.2,
  });
  await withWorkers(world, { size, tags, settings: { MaxSize: size + 4 } });
  await run(world, deployment({ name: 'web', replicas: size }));
  hasBegun = true;
  world.account.events.disturb({ lost: 0.2 });
  // They may hang, and end in simulated time.
  const byHand: Promise<unknown>[] = [];
  for (let step = 0; step < 60; step += 1) {
    await world.timeline.pass(dice.integer(60, 540));
    const ids = membersOf(world)
      .filter(({ LifecycleState }) => LifecycleState === 'InService')
      .map(({ InstanceId = '' }) => InstanceId);
    if (ids.length === 0) continue;
    const instanceId = dice.pick(ids);
    const kubelet = world.kubelets.get(instanceId);
    const { operations } = world.account.autoScaling;
    const roll = dice.next();
    if (roll < 0.35) kubelet?.stop();
    else if (roll < 0.5) {
      kubelet?.pause();
      world.clock.after(dice.integer(1, 8) * minute, () => kubelet?.resume());
    } else if (roll < 0.6)
      operations.SetDesiredCapacity({
        AutoScalingGroupName: 'workers',
        DesiredCapacity: dice.integer(size - 2, size + 2),
      });
    else if (roll < 0.7)
      operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: instanceId,
        ShouldDecrementDesiredCapacity: false,
      });
    else if (roll < 0.8) byHand.push(world.lambda.invoke('sweep', {}), world.lambda.invoke('sweep', {}));
  }
  await world.timeline.pass(300);
  await Promise.allSettled(byHand);
  return { repairs: repairsIn(world), sentFor };
}

describe('a group that is repaired, with calls that fail, hang and are killed, stale answers and lost events', () => {
  it.each(shareOf('REPAIR_SHARE', seeds))(
    'has one repair at a time, at most a fifth of it in an hour, and only for nodes that have failed long enough (seed %i)',
    { timeout: 300_000 },
    async (seed) => {
      const { repairs, sentFor } = await live(seed);
      expect(repairs.length).toBeGreaterThan(0);
      for (const [index, { from }] of repairs.entries()) {
        const before = repairs.slice(0, index);
        expect(before.filter(({ to }) => to > from)).toEqual([]);
        // The group has ten instances at most.
        expect(before.filter((other) => other.from > from - 60 * minute).length).toBeLessThan(2);
      }
      for (const ages of sentFor)
        expect(Math.max(...ages.map((age) => age ?? 0))).toBeGreaterThanOrEqual(5 * minute);
    },
  );
});
