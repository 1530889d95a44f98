import { isException } from './plan.ts';
import type { Schedule } from './schedule.ts';
import { wallClockText } from './time-zone.ts';
import { occurrencesAfter } from './timing.ts';

/**
 * What comes of one occurrence; times are epoch milliseconds.
 * - `hold`: a hold is made, so that its nodes are Ready at the time;
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

/** What comes of the next occurrences of a schedule: those whose holds have not ended yet. Pure. */
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

/** Exceptions are at most 400 dates, and spring leaves out one a year. */
const looked = 500;

/** The first time, in epoch milliseconds, whose nodes are not due yet; undefined for a schedule that is paused or has none. Pure. */
export function nextReadyAt(schedule: Schedule, now: number): number | undefined {
  if (schedule.paused) return undefined;
  return previewOf(schedule, { now, leadSeconds: 0, count: looked })
    .flatMap((each) => (each.kind === 'hold' ? [each.readyAt] : []))
    .find((readyAt) => readyAt > now);
}
