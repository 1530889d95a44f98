import { findLeavingInstances, type LeavingInstance } from '../../shared/capacity/leaving-instances.ts';
import { leavingProblems } from '../../shared/capacity/leaving-problems.ts';
import { bySince, joiningLines, leavingLine } from '../../shared/capacity/pass-lines.ts';
import { type AutoScalingGroup, findTerminatingHook, roleOf } from '../../shared/groups/group.ts';
import { waitsToLeave } from '../../shared/groups/lifecycle-state.ts';
import { pauseOf } from '../../shared/passes/pause.ts';
import { etcdProblemOf } from '../../shared/scale-api/status-view.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';
import { whyUnmanaged } from '../auto-scaling/why-unmanaged.ts';
import { hookNeeded, hookProblems } from '../hooks/hook-problems.ts';
import { holdOf } from '../leaving/hold.ts';
import type { Observation, Observed, ObservedGroups } from './observe.ts';
import type {
  GroupLine,
  Missing,
  OldestRenewal,
  Problem,
  RepairLine,
  ReportedLeaving,
  StatusReport,
} from './report.ts';
import { tagProblems } from './tag-problems.ts';

/** Turns the observation into the report for the operator. Pure. */
export function reportOf(observation: Observation): StatusReport {
  const seen = observation.groups.ok ? observation.groups.value : undefined;
  const leaving = findLeavingInstances({
    groups: seen?.managed ?? [],
    hooks: seen?.hooks ?? new Map(),
    nodes: observation.nodes.ok ? observation.nodes.value : [],
    leavingHookName: seen?.leavingHookName ?? '',
  });
  const repairs = observation.repairs.ok ? observation.repairs.value : [];
  const looked = { at: observation.at, sawGroups: seen !== undefined };
  return {
    at: new Date(observation.at).toISOString(),
    clusterName: seen?.clusterName ?? null,
    leaving: leaving.map(toLine).toSorted(bySince),
    joining: seen?.managed.flatMap((group) => joiningLines(group, seen)) ?? [],
    repairs: repairs.map(repairLine),
    groups: seen?.managed.map((group) => groupLine(group, seen, leaving)) ?? [],
    problems: [
      ...(seen ? groupProblems(seen) : []),
      ...leaving.flatMap((instance) => leavingProblems(instance, looked)),
      ...repairs.flatMap(withheldProblems),
    ],
    missing: [
      ...missing('Auto Scaling', observation.groups),
      ...missing('the cluster', observation.nodes.ok ? observation.repairs : observation.nodes),
    ],
    oldestRenewal: oldestRenewal(leaving, observation.at),
  };
}

const missing = (what: Missing['what'], seen: Observed<unknown>): readonly Missing[] =>
  seen.ok ? [] : [{ what, reason: seen.reason }];

function toLine(instance: LeavingInstance): ReportedLeaving {
  const { waitsFor, ...line } = leavingLine(instance);
  const heldUntil = holdOf(instance)?.until;
  return {
    ...line,
    heldUntil: heldUntil === undefined ? null : new Date(heldUntil).toISOString(),
    waitsFor,
  };
}

const repairLine = ({ since, ...finding }: RepairFinding): RepairLine => ({
  ...finding,
  since: since === undefined ? null : new Date(since).toISOString(),
});

const withheldProblems = ({ verdict, node, reason }: RepairFinding): readonly Problem[] =>
  verdict === 'withheld'
    ? [{ kind: 'withheld', subject: node, message: `it is not repaired: ${reason}` }]
    : [];

function groupLine(
  group: AutoScalingGroup,
  seen: ObservedGroups,
  leaving: readonly LeavingInstance[],
): GroupLine {
  const { autoScalingGroupName: name } = group;
  return {
    autoScalingGroupName: name,
    role: roleOf(group) ?? '',
    instances: group.instances.length,
    leaving: leaving.filter((instance) => instance.group?.autoScalingGroupName === name).length,
    hasHook: findTerminatingHook(seen.hooks.get(name), hookNeeded(group, seen)) !== undefined,
    paused: pauseOf(group.tags) ?? null,
  };
}

function groupProblems(seen: ObservedGroups): readonly Problem[] {
  const managed = seen.managed.flatMap((group) => {
    const subject = group.autoScalingGroupName;
    const ofHooks = hookProblems(group, seen.hooks.get(subject) ?? [], seen);
    return [
      ...ofHooks.map((message) => ({ kind: 'hook', subject, message }) as const),
      ...tagProblems(group).map((message) => ({ kind: 'tag', subject, message }) as const),
      ...etcdProblems(group),
    ];
  });
  return [...managed, ...seen.others.flatMap((group) => mistaken(group, seen.clusterName))];
}

/** What etcd-membership has written on a group of members. */
function etcdProblems(group: AutoScalingGroup): readonly Problem[] {
  const role = roleOf(group);
  const message = role && etcdProblemOf({ ...group, role });
  return message ? [{ kind: 'etcd', subject: group.autoScalingGroupName, message }] : [];
}

/** A group without our tags is left alone on purpose; one whose tags of ours say nothing known is mostly a mistake. */
function mistaken(group: AutoScalingGroup, clusterName: string): readonly Problem[] {
  const isMeantForUs = Object.keys(group.tags).some((key) => key.startsWith('drover.dev/'));
  const reason = whyUnmanaged(group, clusterName);
  if (!isMeantForUs || reason === undefined) return [];
  return [{ kind: 'tag', subject: group.autoScalingGroupName, message: `it is left alone: ${reason}` }];
}

function oldestRenewal(leaving: readonly LeavingInstance[], at: number): OldestRenewal | null {
  const [oldest] = leaving
    .filter(({ member }) => member === undefined || waitsToLeave(member))
    .flatMap(({ node }) => (node ? [{ node: node.name, at: node.mark.renewedAt }] : []))
    .toSorted((one, other) => one.at.localeCompare(other.at));
  return oldest
    ? { ...oldest, ageSeconds: Math.max(0, Math.round((at - Date.parse(oldest.at)) / 1000)) }
    : null;
}
