import type * as z from 'zod/mini';
import { type PreviewedOccurrence, previewOf } from '../capacity/schedules/preview.ts';
import type { Schedule, ScheduleReading } from '../capacity/schedules/schedule.ts';
import type { listedSchedule, schedule as scheduleSchema } from './schemas/answers/schedule.ts';

/** Exceptions are at most so many dates, and spring leaves out one a year. */
const looked = 500;
const shown = 5;

type Listed = z.infer<typeof listedSchedule>;

export const viewSchedules = (readings: readonly ScheduleReading[], now: number): readonly Listed[] =>
  readings
    .map((reading): Listed => {
      if (reading.kind === 'unreadable')
        return { name: reading.name, state: 'unreadable', reason: reading.why };
      const { schedule } = reading;
      const readyAt = nextReadyAt(schedule, now);
      const next = readyAt === undefined ? {} : { next: isoTime(readyAt) };
      if (schedule.paused) return { ...fieldsOf(schedule), state: 'paused' };
      return { ...fieldsOf(schedule), state: readyAt === undefined ? 'never' : 'active', ...next };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));

/** A schedule with its next occurrences. */
export const viewSchedule = (
  schedule: Schedule,
  { now, leadSeconds }: { readonly now: number; readonly leadSeconds: number },
): z.infer<typeof scheduleSchema> => ({
  ...fieldsOf(schedule),
  leadSeconds,
  occurrences: previewOf(schedule, { now, leadSeconds, count: shown }).map(viewOccurrence),
});

function fieldsOf({ timing, exceptions, ...schedule }: Schedule) {
  return { ...schedule, exceptions: [...exceptions], timeZone: timing.timeZone };
}

/** The first time whose nodes are not due yet. */
function nextReadyAt(schedule: Schedule, now: number): number | undefined {
  const next = previewOf(schedule, { now, leadSeconds: 0, count: looked }).find(
    (each) => each.kind === 'hold' && each.readyAt > now,
  );
  return next?.kind === 'hold' ? next.readyAt : undefined;
}

function viewOccurrence(
  occurrence: PreviewedOccurrence,
): z.infer<typeof scheduleSchema>['occurrences'][number] {
  if (occurrence.kind !== 'hold') return occurrence;
  const { madeAt, readyAt, until, ...rest } = occurrence;
  return { ...rest, madeAt: isoTime(madeAt), readyAt: isoTime(readyAt), until: isoTime(until) };
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
