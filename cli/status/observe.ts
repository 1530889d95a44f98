import { describeGroups, readGroups } from '../../shared/aws/auto-scaling.ts';
import { countHealthReplacements } from '../../shared/aws/repairs.ts';
import { readWarmPoolWaits } from '../../shared/aws/warm-pools.ts';
import type { TimerClock } from '../../shared/base/clock.ts';
import type { MarkedNode } from '../../shared/capacity/leaving-instances.ts';
import { withWarmPools } from '../../shared/groups/auto-scaling.ts';
import { type AutoScalingGroup, isManaged } from '../../shared/groups/group.ts';
import type { WarmPoolWait } from '../../shared/groups/warm-pool.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { ObservedGroups } from '../../shared/problems/find-problems.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';
import { findRepairs } from '../../shared/sweep/repair/repair-nodes.ts';
import type { AutoScalingAccess } from '../auto-scaling/access.ts';
import { hooksOf } from '../auto-scaling/groups.ts';
import { markedNodes } from '../leaving/marked-nodes.ts';
import { reasonOf } from '../reason-of.ts';

/** What was read, or why it could not be read. */
export type Observed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export interface Observation {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly groups: Observed<ObservedGroups>;
  readonly nodes: Observed<readonly MarkedNode[]>;
  /** The failing nodes of groups that ask for repair. */
  readonly repairs: Observed<readonly RepairFinding[]>;
  /** Why EC2 could not show whose the failing Nodes are, if they had to be judged without it. */
  readonly ec2Reason?: string | undefined;
  /** The instances of warm pools that wait on hooks. */
  readonly warmWaits: Observed<readonly WarmPoolWait[]>;
}

interface ObserverOptions {
  /** Throws if a setting is missing. */
  readonly access: () => AutoScalingAccess;
  readonly cluster: Pick<DrainCluster, 'listNodes' | 'listNodeMetadata'>;
  readonly clock: TimerClock;
}

/** Reads Auto Scaling and the cluster. If one cannot be reached, the observation has the reason. */
export function createObserver({ access, cluster, clock }: ObserverOptions): () => Promise<Observation> {
  return async () => {
    const marked = attempt(async () => await markedNodes(cluster));
    const groups = await attempt(async () => await seeGroups(access(), marked));
    let ec2Reason: string | undefined;
    const onEc2Failure = (error: unknown): void => {
      ec2Reason = reasonOf(error);
    };
    const repairs = await attempt(async () => {
      if (!groups.ok) return [];
      const countReplacements = (name: string, since: number) =>
        countHealthReplacements(access().client, name, since);
      // The watch cache is enough for an operator, who may watch.
      const cached = { listNodes: () => cluster.listNodes() };
      const { ec2 } = access();
      const observer = { cluster: cached, ec2, onEc2Failure, countReplacements, clock };
      return (await findRepairs(observer, groups.value.managed)).findings;
    });
    const warmWaits = await attempt(async () =>
      groups.ok ? await readWarmPoolWaits(access().client, groups.value.managed) : [],
    );
    return { at: clock.now(), groups, nodes: await marked, repairs, ec2Reason, warmWaits };
  };
}

async function seeGroups(
  access: AutoScalingAccess,
  marked: Promise<Observed<readonly MarkedNode[]>>,
): Promise<ObservedGroups> {
  const { client, clusterName } = access;
  const groups = await readGroups(client, clusterName);
  const listed = groups.filter((group) => isManaged(group, clusterName));
  const nodes = await marked;
  const leavingIds = nodes.ok ? nodes.value.map(({ mark }) => mark.instanceId) : [];
  const managed = await withWarmPools(access, listed, leavingIds);
  const others = [
    ...groups.filter((group) => !isManaged(group, clusterName)),
    ...(await untaggedGroups(access, leavingIds, groups)),
  ];
  return { ...access, managed, others, hooks: await hooksOf(access, [...managed, ...others]) };
}

/** The groups of leaving instances that have lost the tag of the cluster, by which groups are listed. */
async function untaggedGroups(
  { client, describeInstance }: AutoScalingAccess,
  leavingIds: readonly string[],
  tagged: readonly AutoScalingGroup[],
): Promise<readonly AutoScalingGroup[]> {
  const known = new Set(tagged.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  const instances = await Promise.all(
    leavingIds
      .filter((instanceId) => !known.has(instanceId))
      .map((instanceId) => describeInstance(instanceId)),
  );
  const names = new Set(instances.flatMap((instance) => instance?.autoScalingGroupName ?? []));
  for (const group of tagged) names.delete(group.autoScalingGroupName);
  if (names.size === 0) return [];
  return (await describeGroups(client, { AutoScalingGroupNames: [...names] })).groups;
}

async function attempt<Value>(look: () => Promise<Value>): Promise<Observed<Value>> {
  try {
    return { ok: true, value: await look() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}
