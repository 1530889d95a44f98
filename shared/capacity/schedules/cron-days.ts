import { type FieldRange, valueOf, valuesOf } from './cron-field.ts';

/** A month of a year; months count from 1. */
interface Month {
  readonly year: number;
  readonly month: number;
}

/** The days of a month that match, in order. */
export type DaysOf = (month: Month) => readonly number[];

const monthDays: FieldRange = { minimum: 1, maximum: 31 };
const weekdays: FieldRange = {
  minimum: 1,
  maximum: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};

/** The two fields of days. One of them is `?`, and the other one decides. Undefined if they are not valid. */
export function parseDays(dayOfMonth: string, dayOfWeek: string): DaysOf | undefined {
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) return undefined;
  return dayOfWeek === '?' ? daysOfMonth(dayOfMonth) : daysOfWeek(dayOfWeek);
}

/** `1,15`, `L` (the last day) or `15W` (the working day nearest to the 15th). */
function daysOfMonth(field: string): DaysOf | undefined {
  if (field === 'L') return (month) => [lengthOf(month)];
  const near = /^(\d{1,2})W$/.exec(field)?.[1];
  if (near !== undefined) return nearestWorkingDay(Number(near));
  const wanted = valuesOf(field, monthDays);
  return wanted && ((month) => wanted.filter((day) => day <= lengthOf(month)));
}

/** AWS does not document what `29W` is in a month of 28 days, so the last days are refused. */
function nearestWorkingDay(wanted: number): DaysOf | undefined {
  if (wanted < 1 || wanted > 28) return undefined;
  return (month) => {
    const weekday = weekdayOf(month, wanted);
    // The nearest working day never lies in another month.
    if (weekday === 7) return [wanted === 1 ? 3 : wanted - 1];
    if (weekday === 1) return [wanted === lengthOf(month) ? wanted - 2 : wanted + 1];
    return [wanted];
  };
}

/** `MON-FRI`, `L` (Saturday, the last day of a week), `6L` (the last Friday) or `6#3` (the third Friday). 1 is Sunday. */
function daysOfWeek(field: string): DaysOf | undefined {
  const [, name = '', nth] = /^(\w+)(?:L|#([1-5]))$/.exec(field) ?? [];
  const wanted =
    name === '' ? valuesOf(field === 'L' ? '7' : field, weekdays) : listOf(valueOf(name, weekdays));
  if (wanted === undefined) return undefined;
  return (month) => {
    const all = everyDay(month).filter((day) => wanted.includes(weekdayOf(month, day)));
    if (name === '') return all;
    return nth === undefined ? all.slice(-1) : all.slice(Number(nth) - 1, Number(nth));
  };
}

const listOf = (value: number | undefined): readonly number[] | undefined =>
  value === undefined ? undefined : [value];

const lengthOf = ({ year, month }: Month): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const everyDay = (month: Month): readonly number[] =>
  Array.from({ length: lengthOf(month) }, (_, index) => index + 1);

/** 1 (Sunday) to 7. */
const weekdayOf = ({ year, month }: Month, day: number): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
