import { findLeavingInstances, type LeavingInstance } from '../../shared/capacity/leaving-instances.ts';
import { bySince, joiningLines, leavingLine, poolLines } from '../../shared/capacity/pass-lines.ts';
import { type AutoScalingGroup, findTerminatingHook, roleOf } from '../../shared/groups/group.ts';
import { waitsToLeave } from '../../shared/groups/lifecycle-state.ts';
import { pauseOf } from '../../shared/passes/pause.ts';
import { findProblems, type ObservedGroups } from '../../shared/problems/find-problems.ts';
import { hookNeeded } from '../../shared/problems/hook-problems.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';
import { holdOf } from '../leaving/hold.ts';
import type { Observation, Observed } from './observe.ts';
import type {
  GroupLine,
  Missing,
  OldestRenewal,
  RepairLine,
  ReportedLeaving,
  StatusReport,
} from './report.ts';

/** Turns the observation into the report for the operator. Pure. */
export function reportOf(observation: Observation): StatusReport {
  const warmWaits = observation.warmWaits.ok ? observation.warmWaits.value : [];
  const seen = observation.groups.ok ? { ...observation.groups.value, warmWaits } : undefined;
  const leaving = findLeavingInstances({
    groups: seen?.managed ?? [],
    hooks: seen?.hooks ?? new Map(),
    nodes: observation.nodes.ok ? observation.nodes.value : [],
    leavingHookName: seen?.leavingHookName ?? '',
  });
  const repairs = observation.repairs.ok ? observation.repairs.value : [];
  return {
    at: new Date(observation.at).toISOString(),
    clusterName: seen?.clusterName ?? null,
    leaving: leaving.map(toLine).toSorted(bySince),
    joining: seen ? [...seen.managed.flatMap((group) => joiningLines(group, seen)), ...poolLines(seen)] : [],
    repairs: repairs.map(repairLine),
    groups: seen?.managed.map((group) => groupLine(group, seen, leaving)) ?? [],
    problems: findProblems({ at: observation.at, groups: seen, leaving, repairs }),
    missing: [
      ...missing('Auto Scaling', observation.groups),
      ...missing('the warm pools', observation.warmWaits),
      ...missing('the cluster', observation.nodes.ok ? observation.repairs : observation.nodes),
      ...(observation.ec2Reason === undefined
        ? []
        : [{ what: 'EC2' as const, reason: observation.ec2Reason }]),
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

function oldestRenewal(leaving: readonly LeavingInstance[], at: number): OldestRenewal | null {
  const [oldest] = leaving
    .filter(({ member }) => member === undefined || waitsToLeave(member))
    .flatMap(({ node }) => (node ? [{ node: node.name, at: node.mark.renewedAt }] : []))
    .toSorted((one, other) => one.at.localeCompare(other.at));
  return oldest
    ? { ...oldest, ageSeconds: Math.max(0, Math.round((at - Date.parse(oldest.at)) / 1000)) }
    : null;
}
