import type { LeavingInstance } from '../../shared/capacity/leaving-instances.ts';
import { bySince, joiningLines, leavingLine, poolLines } from '../../shared/capacity/pass-lines.ts';
import { type AutoScalingGroup, findTerminatingHook, roleOf } from '../../shared/groups/group.ts';
import { waitsToLeave } from '../../shared/groups/lifecycle-state.ts';
import { pauseOf } from '../../shared/passes/pause.ts';
import { findProblems } from '../../shared/problems/find-problems.ts';
import { hookNeeded } from '../../shared/problems/hook-problems.ts';
import {
  leavingIn,
  missingIn,
  notLookedAt,
  type ObservedGroups,
  type ProblemObservation,
  scheduledActionsIn,
  valueOf,
} from '../../shared/problems/observation.ts';
import { scheduledActionLine } from '../../shared/problems/scheduled-actions.ts';
import type { RepairFinding } from '../../shared/sweep/repair/judge-repairs.ts';
import { holdOf } from '../leaving/hold.ts';
import type { GroupLine, OldestRenewal, RepairLine, ReportedLeaving, StatusReport } from './report.ts';

/** Turns the observation into the report for the operator. Pure. */
export function reportOf(observation: ProblemObservation): StatusReport {
  const seen = valueOf(observation.groups);
  const warmWaits = valueOf(observation.warmWaits) ?? [];
  const leaving = leavingIn(observation);
  return {
    at: new Date(observation.at).toISOString(),
    clusterName: seen?.clusterName ?? null,
    leaving: leaving.map(toLine).toSorted(bySince),
    joining: seen
      ? [...seen.managed.flatMap((group) => joiningLines(group, seen)), ...poolLines({ ...seen, warmWaits })]
      : [],
    repairs: (valueOf(observation.repairs) ?? []).map(repairLine),
    groups: seen?.managed.map((group) => groupLine(group, seen, leaving)) ?? [],
    scheduledActions: scheduledActionsIn(observation).map(scheduledActionLine),
    problems: findProblems(observation),
    missing: missingIn(observation),
    notLookedAt: notLookedAt(observation),
    oldestRenewal: oldestRenewal(leaving, observation.at),
  };
}

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
