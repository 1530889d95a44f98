import { isException, occurrencesBetween } from './plan.ts';
import { readSchedule, type Schedule, type ScheduleRecord } from './schedule.ts';
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

/** The effects of the next occurrences of a schedule: those at which nodes should be Ready after now. A hold that is already in force is not among them. Pure. */
export function previewOf(
  schedule: Schedule,
  { now, leadSeconds, count }: PreviewQuery,
): readonly PreviewedOccurrence[] {
  const found: PreviewedOccurrence[] = [];
  for (const occurrence of occurrencesAfter(schedule.timing, now)) {
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
    .at(0);
}

/**
 * The newest time of a schedule that has passed while its hold would still last: that hold is made although it is late. Undefined without
 * one, and for a schedule that is paused or cannot be read. Pure.
 */
export function holdInForce(
  record: ScheduleRecord,
  now: number,
): { readonly readyAt: number; readonly until: number } | undefined {
  const reading = readSchedule(record);
  if (reading.kind === 'unreadable' || reading.schedule.paused) return undefined;
  const lasts = reading.schedule.durationSeconds * 1000;
  const readyAt = occurrencesBetween(reading.schedule, { after: now - lasts, to: now }).at(-1);
  return readyAt === undefined ? undefined : { readyAt, until: readyAt + lasts };
}
