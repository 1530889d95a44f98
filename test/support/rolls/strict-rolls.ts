import { expect } from 'vitest';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { untilWhole } from '../../../local/world/etcd/expectations.ts';
import { newVersion, putRoll, rollNodes, seenOf, versionsOf } from '../../../local/world/rolls.ts';
import { readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { isNodeReady } from '../../../shared/nodes/node-condition.ts';
import { keptEmptyAnnotation } from '../../../shared/nodes/node-keys.ts';
import { readRollingMark } from '../../../shared/nodes/rolling-mark.ts';
import type { Roll } from '../../../shared/roll/roll.ts';
import { createBesideWorld } from '../etcd/beside-api-servers.ts';
import { nodeObjectOf } from '../observed-instance.ts';

type Weather = DroverWorldOptions['weather'];

/** Groups of etcd and of the control plane, and perhaps of workers, that a roll replaces. */
export interface RolledWorld {
  readonly world: DroverWorld;
  /** The groups of etcd and of the control plane, one of whose instances may leave at a time. */
  readonly strict: readonly string[];
  readonly workers: readonly string[];
  /** Etcd members that the zone has, all in the group `etcd`. */
  readonly members: number;
}

/** A control plane as kops makes it: so many groups of one instance each. */
export async function controlPlaneOf(groups: number, options: DroverWorldOptions = {}): Promise<RolledWorld> {
  const world = createDroverWorld(options);
  const strict = ['masters-a', 'masters-b', 'masters-c'].slice(0, groups);
  const settings = { MinSize: 0, MaxSize: 1 };
  for (const autoScalingGroupName of strict)
    await withWorkers(world, { size: 1, autoScalingGroupName, role: 'control-plane', settings });
  return { world, strict, workers: [], members: 0 };
}

/** The worlds, by what is rolled. None has pods, so that a roll takes minutes. */
export const rolledWorlds: Readonly<Record<string, (weather?: Weather) => Promise<RolledWorld>>> = {
  'two groups of a control plane': (weather) => controlPlaneOf(2, weather && { weather }),
  'three members of etcd': async (weather) => {
    const world = createEtcdDroverWorld(weather && { weather });
    addEtcdGroup(world, { size: 3, settings: { MaxSize: 3 } });
    await untilWhole(world, 3);
    return { world, strict: ['etcd'], workers: [], members: 3 };
  },
  'three control planes with etcd beside': async (weather) => {
    const world = createBesideWorld(3, { weather });
    await untilWhole(world, 3);
    await world.timeline.pass(60);
    return { world, strict: ['etcd'], workers: [], members: 3 };
  },
  'all roles': async (weather) => {
    const world = createEtcdDroverWorld(weather && { weather });
    addEtcdGroup(world, { size: 1, settings: { MaxSize: 1 } });
    await untilWhole(world, 1);
    const role = 'control-plane';
    await withWorkers(world, { size: 1, autoScalingGroupName: 'masters', role, settings: { MaxSize: 1 } });
    await withWorkers(world, { size: 1, settings: { MaxSize: 1 } });
    return { world, strict: ['etcd', 'masters'], workers: ['workers'], members: 1 };
  },
};

/** Begins a roll of all groups to a new version of their templates. */
export const rollAll = ({ world, strict, workers }: RolledWorld, more: Partial<Roll> = {}): Roll =>
  putRoll(
    world,
    Object.fromEntries(
      // In the wrong order, which the roll must not follow.
      [...workers, ...strict.toReversed()].map((name) => [
        name,
        newVersion(world, 'ami-0000000000000new0', name),
      ]),
    ),
    { canary: 0, ...more },
  );

const groupsOf = ({ strict, workers }: RolledWorld): readonly string[] => [...strict, ...workers];

const isOfLeave = (world: DroverWorld, instanceId: string): boolean => {
  const node = nodeObjectOf(world, instanceId);
  const annotations = node?.metadata.annotations;
  return (
    node?.spec?.unschedulable === true ||
    readRollingMark(annotations) !== undefined ||
    readLeavingMark(annotations) !== undefined
  );
};

/** The instances of groups that leave, or are about to. */
const leaversOf = (world: DroverWorld, groups: readonly string[]): readonly string[] =>
  groups.flatMap((group) =>
    membersOf(world, group)
      .filter(
        ({ InstanceId = '', LifecycleState = '', HealthStatus }) =>
          LifecycleState.startsWith('Terminating') ||
          HealthStatus === 'Unhealthy' ||
          isOfLeave(world, InstanceId),
      )
      .map(({ InstanceId = '' }) => InstanceId),
  );

const sizesOf = ({ account }: DroverWorld): readonly string[] =>
  account.autoScaling.operations
    .DescribeAutoScalingGroups({})
    .AutoScalingGroups.map(
      ({ AutoScalingGroupName, MinSize, MaxSize, DesiredCapacity }) =>
        `${AutoScalingGroupName} ${MinSize} ${MaxSize} ${DesiredCapacity}`,
    );

/**
 * What must hold at every moment of a roll, from now on: at most one instance of etcd and of the control plane leaves, workers leave only once
 * all of these are new, etcd has one cluster that keeps its quorum, and no group has another size.
 */
export function watch(rolled: RolledWorld, what: string): () => void {
  const { world, strict, workers, members } = rolled;
  const sizes = sizesOf(world);
  return () => {
    const leavers = leaversOf(world, strict);
    expect(leavers.length, `${what}: ${leavers.join(' and ')} leave`).toBeLessThanOrEqual(1);
    if (leaversOf(world, workers).length > 0)
      expect(
        leavers.length +
          strict.flatMap((group) => versionsOf(world, group).filter((one) => one === 1)).length,
        `${what}: workers leave too early`,
      ).toBe(0);
    if (members > 0) {
      const clusters = [...clustersOf(world).values()];
      expect(clusters, `${what}: clusters of etcd`).toHaveLength(1);
      expect(clusters[0]?.length, `${what}: members that serve`).toBeGreaterThanOrEqual(
        Math.max(1, members - 1),
      );
    }
    expect(sizesOf(world), what).toEqual(sizes);
  };
}

const nodes = ({ kubernetes }: DroverWorld) => kubernetes.store.of('nodes').list();

/** Lets time pass until the roll is in this state, and watches it. */
export async function untilRolled(rolled: RolledWorld, what: string, state = 'done'): Promise<void> {
  const { world } = rolled;
  const look = watch(rolled, what);
  await world.timeline.until(
    () => {
      look();
      return seenOf(world)?.state === state;
    },
    { withinSeconds: 4 * 3600, what: `${what}: a roll that is ${state}` },
  );
}

/** Nothing of a roll, and no leave, is left on any Node, and each instance is Ready. */
export function expectNothingLeft(rolled: RolledWorld, what: string): void {
  const { world } = rolled;
  expect(rollNodes(world), what).toEqual([]);
  const touched = nodes(world).filter(
    ({ spec, metadata }) =>
      spec?.unschedulable === true || metadata.annotations?.[keptEmptyAnnotation] !== undefined,
  );
  expect(
    touched.map(({ metadata }) => metadata.name),
    `${what}: cordoned or kept`,
  ).toEqual([]);
  for (const group of groupsOf(rolled))
    for (const { InstanceId = '' } of membersOf(world, group)) {
      const node = nodeObjectOf(world, InstanceId);
      expect(node && isNodeReady(node), `${what}: the Node of ${InstanceId} is Ready`).toBe(true);
    }
}

/** The roll replaces each instance, and leaves nothing. */
export async function expectRolled(rolled: RolledWorld, what: string): Promise<void> {
  await untilRolled(rolled, what);
  for (const group of groupsOf(rolled))
    expect([group, ...new Set(versionsOf(rolled.world, group))], what).toEqual([group, 2]);
  expectNothingLeft(rolled, what);
}
