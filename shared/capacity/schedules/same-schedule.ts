import { isDeepStrictEqual } from 'node:util';
import { readDefinition } from './definition.ts';
import type { ScheduleRecord } from './schedule.ts';

/** Whether two schedules ask for the same. A pause and the person that made it are no difference. */
export const isSameSchedule = (one: ScheduleRecord, other: ScheduleRecord): boolean =>
  isDeepStrictEqual(askedBy(one), askedBy(other));

function askedBy({ expression, timeZone, input }: ScheduleRecord): readonly unknown[] {
  const reading = readDefinition(input);
  return [expression, timeZone, reading.kind === 'definition' ? { ...reading.definition, by: '' } : input];
}
