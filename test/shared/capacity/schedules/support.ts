import {
  type Definition,
  formatDefinition,
  readSchedule,
  type Schedule,
  type ScheduleRecord,
} from '../../../../shared/capacity/schedules/schedule.ts';

export const definition = (given: Partial<Definition> = {}): Definition => ({
  autoScalingGroupName: 'workers',
  nodes: 5,
  durationSeconds: 7200,
  lead: 600,
  exceptions: [],
  raiseMaxSize: false,
  ...given,
});

export const record = (
  given: Partial<ScheduleRecord> = {},
  asked: Partial<Definition> = {},
): ScheduleRecord => ({
  name: 'office-hours',
  expression: 'cron(0 8 * * ? *)',
  timeZone: 'UTC',
  enabled: true,
  input: formatDefinition(definition(asked)),
  ...given,
});

/** A readable schedule: 8:00 each day for two hours, with a lead of ten minutes. */
export function schedule(given: Partial<ScheduleRecord> = {}, asked: Partial<Definition> = {}): Schedule {
  const reading = readSchedule(record(given, asked));
  if (reading.kind === 'unreadable') throw new Error(reading.why);
  return reading.schedule;
}
