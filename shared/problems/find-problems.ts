import type { LeavingInstance } from '../capacity/leaving-instances.ts';
import { etcdStatusTagKey } from '../etcd/groups.ts';
import { type AutoScalingGroup, roleOf } from '../groups/group.ts';
import type { RepairFinding } from '../sweep/repair/judge-repairs.ts';
import { alarmProblems } from './alarm-problems.ts';
import { approverProblems } from './approver-problems.ts';
import { capacityProblems } from './capacity-problems.ts';
import { certificateProblems } from './certificate-problems.ts';
import { credentialProblems } from './credential-problems.ts';
import { deadLetterProblems } from './dead-letter-problems.ts';
import { foreignHookProblems, hookProblems } from './hook-problems.ts';
import { leavingProblems } from './leaving-problems.ts';
import { nodeProblems } from './node-problems.ts';
import {
  leavingIn,
  type ObservedGroups,
  type ProblemObservation,
  scheduledActionsIn,
  valueOf,
} from './observation.ts';
import { byUrgency, type FoundProblem, type Problem, problemOf } from './problem.ts';
import { scheduledActionProblems } from './scheduled-actions.ts';
import { secondDrainerProblems } from './second-drainer-problems.ts';
import { secondClusterProblems, tagProblems, unmanagedProblems } from './tag-problems.ts';
import { poolProblems } from './warm-pool-problems.ts';

/** All that needs an operator, the most urgent first. Every surface shows this list. Pure. */
export function findProblems(observation: ProblemObservation): readonly Problem[] {
  const found = withoutAlarms(observation).map(problemOf);
  const alarms = alarmProblems(valueOf(observation.alarms) ?? [], found).map(problemOf);
  return [...found, ...alarms].toSorted(byUrgency);
}

function withoutAlarms(observation: ProblemObservation): readonly FoundProblem[] {
  const { at } = observation;
  const groups = valueOf(observation.groups);
  const leaving = leavingIn(observation);
  const nodes = valueOf(observation.nodes);
  const nodesAt = observation.nodes.kind === 'stale' ? observation.nodes.at : undefined;
  const launches = valueOf(observation.launches);
  const capacity = valueOf(observation.capacity);
  const requests = valueOf(observation.requests) ?? [];
  const approvals = valueOf(observation.approvals);
  return [
    ...(groups ? groupProblems(groups, leaving, nodes?.instanceIds) : []),
    ...(groups
      ? poolProblems({ ...groups, warmWaits: valueOf(observation.warmWaits) ?? [] }, { leaving, at })
      : []),
    ...leaving.flatMap((instance) => leavingProblems(instance, { at, groups })),
    ...(groups?.managed.flatMap((group) => nodeProblems(group, { at, nodes, nodesAt, launches })) ?? []),
    ...(valueOf(observation.repairs) ?? []).flatMap(withheldProblems),
    ...certificateProblems(requests, at),
    // Without the groups, each Node would seem to be outside of them.
    ...(approvals && groups ? approverProblems(approvals, { requests, managed: groups.managed, at }) : []),
    ...deadLetterProblems(valueOf(observation.deadLetters) ?? []),
    // Without the groups, each hold would seem to have none.
    ...(capacity && groups ? capacityProblems(capacity, { ...groups, at }) : []),
    ...scheduledActionProblems(scheduledActionsIn(observation)),
    ...credentialProblems(valueOf(observation.credentials) ?? [], at),
  ];
}

function groupProblems(
  seen: ObservedGroups,
  leaving: readonly LeavingInstance[],
  /** The instances of all Nodes; undefined if they are unknown. */
  ofNodes: ReadonlySet<string> | undefined,
): readonly FoundProblem[] {
  const ofLeaving = leaving.flatMap(({ node, instanceId }) => (node ? [instanceId] : []));
  const nodeInstanceIds = new Set([...(ofNodes ?? []), ...ofLeaving]);
  const hooksOf = ({ autoScalingGroupName }: AutoScalingGroup) => seen.hooks.get(autoScalingGroupName);
  return [
    ...seen.managed.flatMap((group) => {
      const hooks = hooksOf(group);
      return [
        ...(hooks ? hookProblems(group, hooks, seen) : []),
        ...secondDrainerProblems(group, seen.clusterName),
        ...tagProblems(group),
        ...secondClusterProblems(group, seen.clusterName),
        ...etcdProblems(group),
      ];
    }),
    ...seen.others.flatMap((group) => [
      ...unmanagedProblems(group, seen.clusterName),
      ...foreignHookProblems({ group, hooks: hooksOf(group) ?? [], nodeInstanceIds }, seen),
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
