import { readGroups } from '../../shared/aws/auto-scaling.ts';
import { countHealthReplacements } from '../../shared/aws/repairs.ts';
import { lazily } from '../../shared/base/lazily.ts';
import type { MarkedNode } from '../../shared/capacity/leaving-instances.ts';
import { withWarmPools } from '../../shared/groups/auto-scaling.ts';
import { type AutoScalingGroup, isManaged, type LifecycleHook } from '../../shared/groups/group.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';
import { findRepairs } from '../../shared/sweep/repair/repair-nodes.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { hooksOf } from '../auto-scaling/groups.ts';
import { clusterOf } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { markedNodes } from '../leaving/marked-nodes.ts';
import { reasonOf } from '../reason-of.ts';

/** What was read, or why it could not be read. */
export type Observed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export interface ObservedGroups {
  readonly clusterName: string;
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly etcdHookName: string;
  readonly managed: readonly AutoScalingGroup[];
  /** They carry the cluster's tag, but not all that makes them the cluster's to manage. */
  readonly others: readonly AutoScalingGroup[];
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
}

export interface Observation {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly groups: Observed<ObservedGroups>;
  readonly nodes: Observed<readonly MarkedNode[]>;
  /** The failing nodes of groups that ask for repair. */
  readonly repairs: Observed<readonly RepairFinding[]>;
}

export type StatusFlags = AutoScalingFlags & ClusterFlags;

/** Reads Auto Scaling and the cluster; where one is out of reach, the answer has the reason. */
export function createObserver(flags: StatusFlags, context: CliContext): () => Promise<Observation> {
  const access = lazily(() => autoScalingAccess(flags, context));
  const cluster = clusterOf(flags, context);
  return async () => {
    const marked = attempt(async () => await markedNodes(cluster));
    const groups = await attempt(async () => await seeGroups(access(), marked));
    const repairs = await attempt(async () => {
      if (!groups.ok) return [];
      const countReplacements = (name: string, since: number) =>
        countHealthReplacements(access().client, name, since);
      // The watch cache is enough for an operator, who may watch.
      const cached = { listNodes: () => cluster.listNodes() };
      const observer = { cluster: cached, countReplacements, clock: context.clock };
      return (await findRepairs(observer, groups.value.managed)).findings;
    });
    return { at: context.clock.now(), groups, nodes: await marked, repairs };
  };
}

async function seeGroups(
  access: AutoScalingAccess,
  marked: Promise<Observed<readonly MarkedNode[]>>,
): Promise<ObservedGroups> {
  const { client, clusterName, leavingHookName, joiningHookName, etcdHookName } = access;
  const groups = await readGroups(client, clusterName);
  const listed = groups.filter((group) => isManaged(group, clusterName));
  const nodes = await marked;
  const leavingIds = nodes.ok ? nodes.value.map(({ mark }) => mark.instanceId) : [];
  const managed = await withWarmPools(access, listed, leavingIds);
  return {
    clusterName,
    leavingHookName,
    joiningHookName,
    etcdHookName,
    managed,
    others: groups.filter((group) => !isManaged(group, clusterName)),
    hooks: await hooksOf(access, managed),
  };
}

async function attempt<Value>(look: () => Promise<Value>): Promise<Observed<Value>> {
  try {
    return { ok: true, value: await look() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}
