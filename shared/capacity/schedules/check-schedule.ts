import { isDeepStrictEqual } from 'node:util';
import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import { whyTooLong } from '../holds/check-hold.ts';
import { whyNotPlanned } from '../plan/not-planned.ts';
import { holdOf, isTooDense, tooDense } from './plan.ts';
import { checkedOccurrences, previewOf } from './preview.ts';
import { readDefinition, type Schedule, type ScheduleRecord } from './schedule.ts';

/** The facts that a schedule is checked against. */
interface ScheduleLimits {
  readonly group: AutoScalingGroup;
  /** The highest MaxSize that Drover sets for a hold; undefined if the caller does not know it: `prewarm` applies it then. */
  readonly maxSizeLimit?: number | undefined;
  readonly now: number;
}

/** The reasons why a schedule of a group would not have its effect. Pure. */
export function problemsOf(
  schedule: Schedule,
  { group, maxSizeLimit = Infinity, now }: ScheduleLimits,
): readonly string[] {
  const { nodes, pods, raiseMaxSize } = schedule;
  const { maxSize } = group;
  return [
    ...(roleOf(group) === 'etcd'
      ? ['the size of an etcd group is the membership of etcd, so no schedule changes it']
      : []),
    ...[whyUnits(group) ?? []].flat(),
    ...(nodes > maxSize && !raiseMaxSize
      ? [`it asks for ${nodes} nodes, and MaxSize is ${maxSize}: raise MaxSize, or let the schedule raise it`]
      : []),
    ...(raiseMaxSize && nodes > Math.max(maxSizeLimit, maxSize)
      ? [`it asks for ${nodes} nodes, and maxSizeLimit of the deployment is ${maxSizeLimit}`]
      : []),
    ...(pods
      ? [whyNotPlanned({ spec: pods.template.spec }) ?? whyTooLong(holdOf(schedule, now)) ?? []].flat()
      : []),
    ...(isTooDense(schedule, now) ? [tooDense(schedule)] : []),
    ...neverRuns(schedule, now),
  ];
}

/** Why none of its occurrences makes a hold. */
function neverRuns(schedule: Schedule, now: number): readonly string[] {
  const running = now - schedule.durationSeconds * 1000;
  const occurrences = previewOf(schedule, { now: running, leadSeconds: 0, count: checkedOccurrences });
  if (occurrences.some(({ kind }) => kind === 'hold')) return [];
  const [first] = occurrences;
  const { timeZone } = schedule.timing;
  if (first?.kind === 'left-out')
    return [
      `it never runs: clocks in ${timeZone} skip ${first.localTime}, because they are set forward then: choose a time an hour later`,
    ];
  if (first?.kind === 'exception')
    return [`it never runs: its exceptions contain ${first.localTime.slice(0, 10)}`];
  return ['it never runs: none of its holds would end after now'];
}

/**
 * What a request for a schedule does to the schedule that has its name, and the schedule of that name afterwards. Pure.
 * - `created`: the name is free;
 * - `unchanged`: the schedule asks for the same already;
 * - `replaced`: it asks for something else and is replaced. A pause stays;
 * - `taken`: it asks for something else, and the caller does not allow it to be replaced.
 */
export function planSchedule(
  before: ScheduleRecord | undefined,
  wanted: ScheduleRecord,
  { mayReplace }: { readonly mayReplace: boolean },
): {
  readonly kind: 'created' | 'unchanged' | 'replaced' | 'taken';
  readonly record: ScheduleRecord;
} {
  if (before === undefined) return { kind: 'created', record: wanted };
  if (isSameSchedule(before, wanted)) return { kind: 'unchanged', record: before };
  if (!mayReplace) return { kind: 'taken', record: before };
  return { kind: 'replaced', record: { ...before, ...wanted, enabled: before.enabled } };
}

/** Whether a schedule is as requested. A pause and the maker make no difference; a request for a set needs a schedule of that set. */
export const isSameSchedule = (existing: ScheduleRecord, wanted: ScheduleRecord): boolean =>
  isDeepStrictEqual(askedBy(existing), askedBy(wanted)) &&
  (setOf(wanted) === undefined || setOf(wanted) === setOf(existing));

function askedBy({ expression, timeZone, input }: ScheduleRecord): readonly unknown[] {
  const reading = readDefinition(input);
  if (reading.kind === 'unreadable') return [expression, timeZone, input];
  const { by: _by, set: _set, ...asked } = reading.definition;
  return [expression, timeZone, asked];
}

function setOf({ input }: ScheduleRecord): string | undefined {
  const reading = readDefinition(input);
  return reading.kind === 'definition' ? reading.definition.set : undefined;
}

/** The managed groups, or why they are unknown: schedules are shown without them. */
export type KnownGroups =
  | { readonly kind: 'known'; readonly value: readonly Pick<AutoScalingGroup, 'autoScalingGroupName'>[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The problem of a schedule whose group is not among the managed groups, or may not be. Pure. */
export function whyGroupless(
  { autoScalingGroupName }: Pick<Schedule, 'autoScalingGroupName'>,
  groups: KnownGroups,
): string | undefined {
  if (groups.kind === 'unknown')
    return `whether there is a managed group ${autoScalingGroupName} is unknown: ${groups.reason}`;
  return groups.value.some((group) => group.autoScalingGroupName === autoScalingGroupName)
    ? undefined
    : `there is no managed group ${autoScalingGroupName}, so its holds bring no nodes`;
}
