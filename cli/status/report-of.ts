import { type AutoScalingGroup, findLeavingHook, roleOf } from '../../shared/lifecycle/group.ts';
import { isTerminatingWait } from '../../shared/lifecycle/lifecycle-state.ts';
import { pauseOf } from '../../shared/lifecycle/pause.ts';
import { whyUnmanaged } from '../auto-scaling/why-unmanaged.ts';
import { hookProblems } from '../hooks/hook-problems.ts';
import { holdOf } from '../leaving/hold.ts';
import { type Leaver, leaversOf } from '../leaving/leavers.ts';
import { leavingProblems } from './leaving-problems.ts';
import type { GroupLine, LeavingLine, Missing, OldestSign, Problem, StatusReport } from './report.ts';
import type { Seen, SeenGroups, StatusSight } from './sight.ts';
import { tagProblems } from './tag-problems.ts';
import { waitsFor } from './waits-for.ts';

/** What was seen, made into what a person wants to know. Pure. */
export function reportOf(sight: StatusSight): StatusReport {
  const seen = sight.groups.ok ? sight.groups.value : undefined;
  const leavers = leaversOf({
    groups: seen?.managed ?? [],
    hooks: seen?.hooks ?? new Map(),
    nodes: sight.nodes.ok ? sight.nodes.value : [],
    leavingHookName: seen?.leavingHookName ?? '',
  });
  const looked = { at: sight.at, sawGroups: seen !== undefined };
  return {
    at: new Date(sight.at).toISOString(),
    clusterName: seen?.clusterName ?? null,
    leaving: leavers.map(toLine).toSorted(bySince),
    groups: seen?.managed.map((group) => groupLine(group, seen, leavers)) ?? [],
    problems: [
      ...(seen ? groupProblems(seen) : []),
      ...leavers.flatMap((leaver) => leavingProblems(leaver, looked)),
    ],
    missing: [...missing('Auto Scaling', sight.groups), ...missing('the cluster', sight.nodes)],
    oldestSign: oldestSign(leavers, sight.at),
  };
}

const missing = (what: Missing['what'], seen: Seen<unknown>): readonly Missing[] =>
  seen.ok ? [] : [{ what, reason: seen.reason }];

function toLine(leaver: Leaver): LeavingLine {
  const mark = leaver.node?.mark;
  const heldUntil = holdOf(leaver)?.until;
  return {
    node: leaver.node?.name ?? null,
    instanceId: leaver.instanceId,
    autoScalingGroupName: leaver.group?.autoScalingGroupName ?? null,
    lifecycleState: leaver.member?.lifecycleState ?? null,
    cause: mark?.cause ?? null,
    since: mark?.since ?? null,
    until: mark?.until ?? null,
    lastSignAt: mark?.lastSignAt ?? null,
    heldUntil: heldUntil === undefined ? null : new Date(heldUntil).toISOString(),
    waitsFor: waitsFor(leaver),
  };
}

/** Sorts by the start of the leaving; instances that have not begun come last. */
const bySince = (one: LeavingLine, other: LeavingLine): number =>
  (one.since ?? '9').localeCompare(other.since ?? '9') || one.instanceId.localeCompare(other.instanceId);

function groupLine(group: AutoScalingGroup, seen: SeenGroups, leavers: readonly Leaver[]): GroupLine {
  const { autoScalingGroupName: name } = group;
  return {
    autoScalingGroupName: name,
    role: roleOf(group) ?? '',
    instances: group.instances.length,
    leaving: leavers.filter((leaver) => leaver.group?.autoScalingGroupName === name).length,
    hasLeavingHook: findLeavingHook(seen.hooks.get(name), seen.leavingHookName) !== undefined,
    paused: pauseOf(group.tags) ?? null,
  };
}

function groupProblems(seen: SeenGroups): readonly Problem[] {
  const managed = seen.managed.flatMap((group) => {
    const subject = group.autoScalingGroupName;
    const ofHooks = hookProblems(group, seen.hooks.get(subject) ?? [], seen);
    return [
      ...ofHooks.map((message) => ({ kind: 'hook', subject, message }) as const),
      ...tagProblems(group).map((message) => ({ kind: 'tag', subject, message }) as const),
    ];
  });
  return [...managed, ...seen.others.flatMap((group) => mistaken(group, seen.clusterName))];
}

/** A group without our tags is left alone on purpose; one whose tags of ours say nothing known is mostly a mistake. */
function mistaken(group: AutoScalingGroup, clusterName: string): readonly Problem[] {
  const isMeantForUs = Object.keys(group.tags).some((key) => key.startsWith('drover.dev/'));
  const reason = whyUnmanaged(group, clusterName);
  if (!isMeantForUs || reason === undefined) return [];
  return [{ kind: 'tag', subject: group.autoScalingGroupName, message: `it is left alone: ${reason}` }];
}

function oldestSign(leavers: readonly Leaver[], at: number): OldestSign | null {
  const [oldest] = leavers
    .filter(({ member }) => member === undefined || isTerminatingWait(member))
    .flatMap(({ node }) => (node ? [{ node: node.name, at: node.mark.lastSignAt }] : []))
    .toSorted((one, other) => one.at.localeCompare(other.at));
  return oldest
    ? { ...oldest, ageSeconds: Math.max(0, Math.round((at - Date.parse(oldest.at)) / 1000)) }
    : null;
}
