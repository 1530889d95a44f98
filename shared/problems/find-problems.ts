import type { LeavingInstance } from '../capacity/leaving-instances.ts';
import { etcdStatusTagKey } from '../etcd/groups.ts';
import { type AutoScalingGroup, type LifecycleHook, roleOf } from '../groups/group.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import type { RepairFinding } from '../sweep/repair/judge-repairs.ts';
import { foreignHookProblems, type HookNames, hookProblems } from './hook-problems.ts';
import { leavingProblems } from './leaving-problems.ts';
import { byUrgency, type FoundProblem, type Problem, problemOf } from './problem.ts';
import { tagProblems, unmanagedProblems } from './tag-problems.ts';
import { poolProblems } from './warm-pool-problems.ts';

/** The groups of a cluster and their hooks, as Auto Scaling describes them. */
export interface ObservedGroups extends HookNames {
  readonly managed: readonly AutoScalingGroup[];
  /** They have a tag of the cluster or a hook of Drover, but not all that makes them the cluster's to manage. */
  readonly others: readonly AutoScalingGroup[];
  /** The hooks of all these groups, by the name of the group. */
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  /** The instances of the warm pools of managed groups that wait on hooks. */
  readonly warmWaits?: readonly WarmPoolWait[];
}

export interface ProblemObservation {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined if Auto Scaling could not be read. */
  readonly groups: ObservedGroups | undefined;
  readonly leaving: readonly LeavingInstance[];
  /** The failing nodes of groups that ask for repair. */
  readonly repairs: readonly RepairFinding[];
}

/** All that needs an operator, the most urgent first. Every surface shows this list. Pure. */
export function findProblems({ at, groups, leaving, repairs }: ProblemObservation): readonly Problem[] {
  const looked = { at, groups };
  return [
    ...(groups ? groupProblems(groups, leaving) : []),
    ...(groups ? poolProblems(groups, { leaving, at }) : []),
    ...leaving.flatMap((instance) => leavingProblems(instance, looked)),
    ...repairs.flatMap(withheldProblems),
  ]
    .map(problemOf)
    .toSorted(byUrgency);
}

function groupProblems(seen: ObservedGroups, leaving: readonly LeavingInstance[]): readonly FoundProblem[] {
  const nodeInstanceIds = new Set(leaving.flatMap(({ node, instanceId }) => (node ? [instanceId] : [])));
  const hooksOf = ({ autoScalingGroupName }: AutoScalingGroup) => seen.hooks.get(autoScalingGroupName) ?? [];
  return [
    ...seen.managed.flatMap((group) => [
      ...hookProblems(group, hooksOf(group), seen),
      ...tagProblems(group),
      ...etcdProblems(group),
    ]),
    ...seen.others.flatMap((group) => [
      ...unmanagedProblems(group, seen.clusterName),
      ...foreignHookProblems({ group, hooks: hooksOf(group), nodeInstanceIds }, seen),
    ]),
  ];
}

/** What etcd-membership has written on a group of members. Pure. */
export function etcdProblems(
  group: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>,
): readonly FoundProblem[] {
  const role = roleOf(group);
  const message = group.tags[etcdStatusTagKey];
  if (role === undefined || role === 'worker' || !message) return [];
  return [{ kind: 'etcd', subject: group.autoScalingGroupName, message, command: 'drover etcd status' }];
}

const withheldProblems = ({ verdict, node, reason, since }: RepairFinding): readonly FoundProblem[] =>
  verdict === 'withheld'
    ? [
        {
          kind: 'withheld',
          subject: node,
          message: `it is not repaired: ${reason}`,
          since: since === undefined ? undefined : new Date(since).toISOString(),
          command: 'kubectl get nodes',
        },
      ]
    : [];
