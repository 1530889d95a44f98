import { isException } from './plan.ts';
import type { Schedule } from './schedule.ts';
import { wallClockText } from './time-zone.ts';
import { occurrencesAfter } from './timing.ts';

/**
 * The effect of one occurrence. Times are epoch milliseconds.
 * - `hold`: a hold is created at `madeAt`, so that its nodes are Ready at the time;
 * - `exception`: the schedule has an exception for the date;
 * - `left-out`: clocks in the time zone never show this time.
 */
export type PreviewedOccurrence = {
  /** `2026-12-01T08:00:00` on clocks in the time zone. */
  readonly localTime: string;
} & (
  | { readonly kind: 'hold'; readonly madeAt: number; readonly readyAt: number; readonly until: number }
  | { readonly kind: 'exception' | 'left-out' }
);

interface PreviewQuery {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly leadSeconds: number;
  readonly count: number;
}

/** The effects of the next occurrences of a schedule, beginning with the first whose hold would not have ended yet. Pure. */
export function previewOf(
  schedule: Schedule,
  { now, leadSeconds, count }: PreviewQuery,
): readonly PreviewedOccurrence[] {
  const found: PreviewedOccurrence[] = [];
  for (const occurrence of occurrencesAfter(schedule.timing, now - schedule.durationSeconds * 1000)) {
    if (found.length === count) break;
    const localTime = wallClockText(occurrence.wallClock);
    if (occurrence.kind === 'left-out') found.push({ kind: 'left-out', localTime });
    else if (isException(schedule, occurrence.wallClock)) found.push({ kind: 'exception', localTime });
    else
      found.push({
        kind: 'hold',
        localTime,
        madeAt: occurrence.at - leadSeconds * 1000,
        readyAt: occurrence.at,
        until: occurrence.at + schedule.durationSeconds * 1000,
      });
  }
  return found;
}

/** A schedule has at most 400 exceptions, and clocks skip one time a year. */
export const checkedOccurrences = 500;

/** The next time, in epoch milliseconds, at which nodes should be Ready; undefined for a schedule that is paused or has no such time. Pure. */
export function nextReadyAt(schedule: Schedule, now: number): number | undefined {
  if (schedule.paused) return undefined;
  return previewOf(schedule, { now, leadSeconds: 0, count: checkedOccurrences })
    .flatMap((each) => (each.kind === 'hold' ? [each.readyAt] : []))
    .find((readyAt) => readyAt > now);
}
