import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { app, graceSeconds, maxUnavailable, replicas } from './manifests.ts';
import { groupNames, type NthWorld } from './world.ts';

/** An instance that has left, as it was when it ended. */
interface Departure {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /** How long it was seen in Terminating:Wait, in simulated seconds; 0 if it never was. */
  readonly waitedSeconds: number;
  /** Pods that the end of the instance has killed. */
  readonly podsKilled: readonly string[];
  /** What had marked its Node. */
  readonly drainedBy: readonly string[];
}

interface Seen {
  readonly autoScalingGroupName: string;
  nodeName?: string;
  waitingSince?: number;
  lastSeenWaiting?: number;
  readonly drainedBy: Set<string>;
}

export interface Watch {
  readonly departures: readonly Departure[];
  /** Budgets that were broken, and pods that were given less time than they ask for. */
  readonly violations: readonly string[];
  readonly stop: () => void;
}

const stepMilliseconds = 60;

/** Looks at the world about every simulated half second. A pod that its instance has killed stays in the API server for much longer. */
export function watchWorld(world: NthWorld): Watch {
  const seen = new Map<string, Seen>();
  const departures: Departure[] = [];
  const violations = new Set<string>();
  const look = (): void => {
    lookAtGroups(world, seen);
    lookAtPods(world, violations);
    for (const [instanceId, one] of seen) {
      if (isRunning(world, instanceId)) continue;
      seen.delete(instanceId);
      departures.push({
        instanceId,
        autoScalingGroupName: one.autoScalingGroupName,
        waitedSeconds: ((one.lastSeenWaiting ?? 0) - (one.waitingSince ?? 0)) / 1000,
        podsKilled: podsOf(world)
          .filter((pod) => pod.spec?.nodeName === one.nodeName && isServing(pod))
          .map(({ metadata }) => metadata?.name ?? ''),
        drainedBy: [...one.drainedBy],
      });
    }
  };
  const timer = setInterval(look, stepMilliseconds);
  return {
    departures,
    get violations() {
      return [...violations];
    },
    stop: () => clearInterval(timer),
  };
}

export const membersOf = ({ cloud }: Pick<NthWorld, 'cloud'>, autoScalingGroupName: string) =>
  cloud.account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [autoScalingGroupName],
  }).AutoScalingGroups[0]?.Instances ?? [];

export const hooksOf = ({ cloud }: Pick<NthWorld, 'cloud'>, AutoScalingGroupName: string) =>
  cloud.account.autoScaling.operations
    .DescribeLifecycleHooks({ AutoScalingGroupName })
    .LifecycleHooks.map(({ LifecycleHookName }) => LifecycleHookName ?? '');

export const tagsOf = ({ cloud }: Pick<NthWorld, 'cloud'>, name: string): ReadonlySet<string> =>
  new Set(
    cloud.account.autoScaling.operations
      .DescribeAutoScalingGroups({ AutoScalingGroupNames: [name] })
      .AutoScalingGroups[0]?.Tags?.map(({ Key = '' }) => Key),
  );

function lookAtGroups(world: NthWorld, seen: Map<string, Seen>): void {
  const { cloud, sandbox } = world;
  const now = sandbox.clock.now();
  const nodes = new Map(
    cloud.kubernetes.store
      .of('nodes')
      .list()
      .map((node) => [node.spec?.providerID?.split('/').at(-1) ?? '', node]),
  );
  for (const autoScalingGroupName of groupNames)
    for (const { InstanceId = '', LifecycleState = '' } of membersOf(world, autoScalingGroupName)) {
      const one: Seen = seen.get(InstanceId) ?? { autoScalingGroupName, drainedBy: new Set() };
      const node = nodes.get(InstanceId);
      if (node?.metadata?.name) one.nodeName = node.metadata.name;
      if (LifecycleState === 'Terminating:Wait') {
        one.waitingSince ??= now;
        one.lastSeenWaiting = now;
      }
      const mark = readLeavingMark(node?.metadata?.annotations);
      if (mark) one.drainedBy.add('Drover');
      if (node?.spec?.unschedulable && (mark === undefined || mark.before.unschedulable))
        one.drainedBy.add('NTH');
      if (seen.has(InstanceId) || (LifecycleState === 'InService' && isRunning(world, InstanceId)))
        seen.set(InstanceId, one);
    }
}

function lookAtPods(world: NthWorld, violations: Set<string>): void {
  const pods = podsOf(world);
  const healthy = pods.filter((pod) => isServing(pod) && isReady(pod)).length;
  if (healthy < replicas - maxUnavailable) violations.add(`only ${healthy} of ${replicas} pods are healthy`);
  for (const { metadata } of pods) {
    const given = metadata?.deletionGracePeriodSeconds;
    if (metadata?.deletionTimestamp !== undefined && given !== undefined && given < graceSeconds)
      violations.add(`${metadata.name} was given ${given} s`);
  }
}

const podsOf = ({ cloud }: NthWorld): readonly Pod[] =>
  cloud.kubernetes.store
    .of('pods')
    .list()
    .filter(({ metadata }) => metadata?.labels?.['app'] === app);

const isServing = ({ metadata, status }: Pod): boolean =>
  status?.phase === 'Running' && metadata?.deletionTimestamp === undefined;

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;

export function isRunning({ cloud }: NthWorld, instanceId: string): boolean {
  const state = cloud.account.ec2.instances.find(instanceId)?.state;
  return state === 'running' || state === 'pending';
}
