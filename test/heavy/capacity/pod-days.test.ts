import { createRandom } from '@drover/cloud-sandbox/simulation';
import { expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { boundsOf, holdParameters, putHold } from '../../../local/world/holds.ts';
import { deploymentOf, podsOf, putPodHold, scale } from '../../../local/world/pod-holds.ts';
import { podsNamed, podsOn, run } from '../../../local/world/workloads.ts';
import { capacityWeather } from '../../support/capacity-days/faults.ts';
import { diceOf } from '../../support/lifetimes/plan/dice.ts';

/** POD_DAYS_SEED=N draws other faults. */
const seed = Number(process.env.POD_DAYS_SEED ?? 1);

const apps = ['web', 'api'];
const isOurs = ({
  metadata,
}: {
  readonly metadata?: { readonly labels?: Record<string, string> };
}): boolean => apps.includes(metadata?.labels?.app ?? '');

const bound = (world: DroverWorld, app: string): number =>
  podsNamed(world, app).filter(({ spec }) => spec?.nodeName).length;

interface PlannedPods {
  readonly app: string;
  readonly total: number;
  readonly from: number;
  readonly to: number;
}

const holds: readonly PlannedPods[] = [
  { app: 'web', total: 20, from: 2, to: 160 },
  { app: 'api', total: 9, from: 100, to: 180 },
];

/** Three such pods fit on a node. */
function freeOn(world: DroverWorld): number {
  return world.kubernetes.store
    .of('nodes')
    .list()
    .filter(({ spec, status }) => !spec?.unschedulable && isReady(status?.conditions ?? []))
    .reduce((sum, { metadata }) => sum + 3 - podsOn(world, metadata?.name ?? '').filter(isOurs).length, 0);
}

const isReady = (conditions: readonly { readonly type: string; readonly status: string }[]): boolean =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

/** cluster-autoscaler: it removes one empty node, if MinSize allows it. */
function consolidate(world: DroverWorld): void {
  const { minSize = 0, desiredCapacity = 0 } = boundsOf(world);
  if (desiredCapacity <= minSize) return;
  const empty = world.kubernetes.store
    .of('nodes')
    .list()
    .find(({ metadata, spec }) => !spec?.unschedulable && !podsOn(world, metadata?.name ?? '').some(isOurs));
  const id = empty?.spec?.providerID?.split('/').at(-1);
  const isMember = membersOf(world).some(
    ({ InstanceId, LifecycleState }) => InstanceId === id && LifecycleState === 'InService',
  );
  if (id !== undefined && isMember) terminate(world, id, { replace: false });
}

const openAt = (world: DroverWorld, minute: number): number =>
  holds
    .filter(({ from, to }) => from <= minute && minute < to)
    .reduce((sum, { app, total }) => sum + Math.max(0, total - bound(world, app)), 0);

/** A launch and a join, and a run of `prewarm` before and after them. */
const leadMinutes = 15;

it(`beside holds of nodes, an autoscaler, a changed MinSize and faults, open pods have room, no pod loses its node, and the base comes back (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const dice = diceOf(createRandom(seed));
  const state = { isHard: false, struck: 0 };
  const world = createDroverWorld({ seed, weather: capacityWeather(dice, state, 0) });
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 20 } });
  await run(world, deploymentOf('web', 3), deploymentOf('api', 0));
  const wrong: string[] = [];
  let lackingFor = 0;
  for (let minute = 0; minute < 240; minute += 1) {
    state.isHard = (minute >= 45 && minute < 60) || (minute >= 110 && minute < 125);
    for (const { app, total, from, to } of holds)
      if (from === minute) putPodHold(world, { name: app, pods: podsOf(app, total), minutes: to - from });
    if (minute === 30) putHold(world, { name: 'nodes', nodes: 5, minutes: 60 });
    if (minute === 40) await scale(world, 'web', 20);
    if (minute === 70)
      world.account.autoScaling.operations.UpdateAutoScalingGroup({
        AutoScalingGroupName: 'workers',
        MinSize: 3,
      });
    if (minute === 130) await scale(world, 'web', 4);
    if (minute % 7 === 0) consolidate(world);
    if (minute % 23 === 0) void world.lambda.invoke('prewarm', {});
    await world.timeline.pass(60);
    lackingFor = freeOn(world) < openAt(world, minute) && !state.isHard ? lackingFor + 1 : 0;
    if (lackingFor > leadMinutes) wrong.push(`minute ${minute}: ${openAt(world, minute)} pods are open`);
    if (minute > 45 && minute < 130 && bound(world, 'web') < 20)
      wrong.push(`minute ${minute}: a pod lost its node`);
  }
  expect(wrong).toEqual([]);
  expect(state.struck).toBeGreaterThan(10);
  expect(boundsOf(world)).toMatchObject({ minSize: 3, maxSize: 20 });
  expect(holdParameters(world)).toEqual([]);
});
