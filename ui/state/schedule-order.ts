import type { ScheduleView } from './types.ts';

/** Schedules in the order in which their holds are made. Schedules that make none come last. Pure. */
export const inOrder = (schedules: readonly ScheduleView[]): readonly ScheduleView[] =>
  schedules.toSorted(
    (one, other) => Math.sign(nextOf(one) - nextOf(other)) || one.name.localeCompare(other.name),
  );

function nextOf({ paused, occurrences }: ScheduleView): number {
  const next = occurrences.find(({ kind }) => kind === 'hold');
  return paused || next?.kind !== 'hold' ? Number.MAX_VALUE : next.madeAt;
}
