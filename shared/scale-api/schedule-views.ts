import type * as z from 'zod/mini';
import { whyGroupless } from '../capacity/schedules/check-schedule.ts';
import { nextReadyAt, type PreviewedOccurrence, previewOf } from '../capacity/schedules/preview.ts';
import type { Schedule, ScheduleReading } from '../capacity/schedules/schedule.ts';
import { viewPods } from './hold-views.ts';
import type { listedSchedule, schedule as scheduleSchema } from './schemas/answers/schedule.ts';

/** How many occurrences are shown where the caller does not say. */
const shown = 5;

type Listed = z.infer<typeof listedSchedule>;

export const viewSchedules = (
  readings: readonly ScheduleReading[],
  { now, groups }: { readonly now: number; readonly groups: Parameters<typeof whyGroupless>[1] },
): readonly Listed[] =>
  readings
    .map((reading): Listed => {
      if (reading.kind === 'unreadable')
        return { name: reading.name, state: 'unreadable', reason: reading.why };
      const { schedule } = reading;
      const problem = whyGroupless(schedule, groups);
      const fields = { ...fieldsOf(schedule), ...(problem !== undefined && { problem }) };
      if (schedule.paused) return { ...fields, state: 'paused' };
      const readyAt = nextReadyAt(schedule, now);
      if (readyAt === undefined) return { ...fields, state: 'never' };
      return { ...fields, state: 'active', next: isoTime(readyAt) };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));

/** A schedule with its next occurrences. */
export const viewSchedule = (
  schedule: Schedule,
  {
    now,
    leadSeconds,
    count = shown,
  }: { readonly now: number; readonly leadSeconds: number; readonly count?: number | undefined },
): z.infer<typeof scheduleSchema> => ({
  ...fieldsOf(schedule),
  leadSeconds,
  occurrences: previewOf(schedule, { now, leadSeconds, count }).map(viewOccurrence),
});

function fieldsOf({ timing, exceptions, pods, ...schedule }: Schedule) {
  return {
    ...schedule,
    ...(pods && { pods: viewPods(pods) }),
    exceptions: [...exceptions],
    timeZone: timing.timeZone,
  };
}

function viewOccurrence(
  occurrence: PreviewedOccurrence,
): z.infer<typeof scheduleSchema>['occurrences'][number] {
  if (occurrence.kind !== 'hold') return occurrence;
  const { madeAt, readyAt, until, ...rest } = occurrence;
  return { ...rest, madeAt: isoTime(madeAt), readyAt: isoTime(readyAt), until: isoTime(until) };
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
