import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import { isTooDense, tooDense } from './plan.ts';
import { previewOf } from './preview.ts';
import type { Schedule } from './schedule.ts';

/** Reasons why a schedule of a group would not do what it says. Pure. */
export function problemsOf(
  schedule: Schedule,
  { group, now }: { readonly group: AutoScalingGroup; readonly now: number },
): readonly string[] {
  const { nodes, raiseMaxSize } = schedule;
  const { maxSize } = group;
  return [
    ...(roleOf(group) === 'etcd'
      ? ['the size of an etcd group is the membership of etcd, so no schedule changes it']
      : []),
    ...[whyUnits(group) ?? []].flat(),
    ...(nodes > maxSize && !raiseMaxSize
      ? [`it asks for ${nodes} nodes, and MaxSize is ${maxSize}: raise MaxSize, or let the schedule raise it`]
      : []),
    ...(isTooDense(schedule, now) ? [tooDense(schedule)] : []),
    ...(makesHolds(schedule, now) ? [] : ['it never runs: no hold of it would end after now']),
  ];
}

/** Exceptions are at most so many dates, and spring leaves out one a year. */
const looked = 500;

const makesHolds = (schedule: Schedule, now: number): boolean =>
  previewOf(schedule, { now, leadSeconds: 0, count: looked }).some(({ kind }) => kind === 'hold');
