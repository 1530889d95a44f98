import type { WallClock } from './time-zone.ts';

/** A cron expression of EventBridge Scheduler, each field as the values that match. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOf: DaysOf;
  readonly months: readonly number[];
  readonly years: readonly number[];
}

/** The range of a field of a cron expression. */
export interface FieldRange {
  readonly minimum: number;
  readonly maximum: number;
  /** Names of minimum, minimum + 1 and so on. */
  readonly names?: readonly string[];
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The ranges of the six fields. */
export const fieldRanges = {
  minutes: { minimum: 0, maximum: 59 },
  hours: { minimum: 0, maximum: 23 },
  dayOfMonth: { minimum: 1, maximum: 31 },
  months: { minimum: 1, maximum: 12, names: monthNames },
  dayOfWeek: { minimum: 1, maximum: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] },
  years: { minimum: 1970, maximum: 2199 },
} as const satisfies Readonly<Record<string, FieldRange>>;

/**
 * Parses `minutes hours day-of-month month day-of-week year`, as the user guide of EventBridge Scheduler documents it ("Cron-based
 * schedules"). Undefined if it is not valid, or if AWS does not document when it runs.
 */
export function parseCron(fields: string): Cron | undefined {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = '', ...more] =
    fields.split(/\s+/);
  const minutes = valuesOf(minute, fieldRanges.minutes);
  const hours = valuesOf(hour, fieldRanges.hours);
  const daysOf = parseDays(dayOfMonth, dayOfWeek);
  const months = valuesOf(month, fieldRanges.months);
  const years = valuesOf(year, fieldRanges.years);
  if (!minutes || !hours || !daysOf || !months || !years || more.length > 0) return undefined;
  return { minutes, hours, daysOf, months, years };
}

/** Every matching time after a given time, in order, in a calendar without time zone. */
export function* matchesAfter(cron: Cron, after: WallClock): Generator<WallClock> {
  const firstYear = new Date(after).getUTCFullYear();
  for (const year of cron.years.filter((each) => each >= firstYear))
    for (const month of cron.months)
      for (const day of cron.daysOf({ year, month }))
        if (Date.UTC(year, month - 1, day + 1) > after)
          for (const wallClock of timesOf(cron, Date.UTC(year, month - 1, day)))
            if (wallClock > after) yield wallClock;
}

const timesOf = ({ hours, minutes }: Cron, midnight: WallClock): readonly WallClock[] =>
  hours.flatMap((hour) => minutes.map((minute) => midnight + (hour * 60 + minute) * 60_000));

/** A month of a year; months count from 1. */
interface Month {
  readonly year: number;
  readonly month: number;
}

/** The days of a month that match, in order. */
type DaysOf = (month: Month) => readonly number[];

/** The two fields of days: one of them is `?` and the other one decides. Undefined if they are not valid. */
function parseDays(dayOfMonth: string, dayOfWeek: string): DaysOf | undefined {
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) return undefined;
  return dayOfWeek === '?' ? daysOfMonth(dayOfMonth) : daysOfWeek(dayOfWeek);
}

/** `1,15`, `L` (the last day) or `15W` (the working day nearest to the 15th). */
function daysOfMonth(field: string): DaysOf | undefined {
  if (field === 'L') return (month) => [lengthOf(month)];
  const near = /^(\d{1,2})W$/.exec(field)?.[1];
  if (near !== undefined) return nearestWorkingDay(Number(near));
  const wanted = valuesOf(field, fieldRanges.dayOfMonth);
  return wanted && ((month) => wanted.filter((day) => day <= lengthOf(month)));
}

/** AWS does not document the meaning of `29W` in a month of 28 days, so the last days are refused. */
function nearestWorkingDay(wanted: number): DaysOf | undefined {
  if (wanted < 1 || wanted > 28) return undefined;
  return (month) => {
    const weekday = weekdayOf(month, wanted);
    // The nearest working day is never in another month.
    if (weekday === 7) return [wanted === 1 ? 3 : wanted - 1];
    if (weekday === 1) return [wanted === lengthOf(month) ? wanted - 2 : wanted + 1];
    return [wanted];
  };
}

/** `MON-FRI`, `L` (Saturday, the last day of a week), `6L` (the last Friday) or `6#3` (the third Friday). 1 is Sunday. */
function daysOfWeek(field: string): DaysOf | undefined {
  const [, name = '', nth] = /^(\w+)(?:L|#([1-5]))$/.exec(field) ?? [];
  const wanted =
    name === ''
      ? valuesOf(field === 'L' ? '7' : field, fieldRanges.dayOfWeek)
      : listOf(valueOf(name, fieldRanges.dayOfWeek));
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

/** The values of a list of `*`, `5`, `1-5`, `MON-FRI`, `0/15` and `10-50/10`, in order; undefined if it is not valid. */
export function valuesOf(field: string, range: FieldRange): readonly number[] | undefined {
  const lists = field.split(',').map((item) => itemValues(item, range));
  if (lists.some((values) => values === undefined)) return undefined;
  return [...new Set(lists.flatMap((values) => values ?? []))].sort((one, other) => one - other);
}

function itemValues(item: string, range: FieldRange): readonly number[] | undefined {
  const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(item) ?? [];
  const first = from === '*' ? range.minimum : valueOf(from, range);
  const last =
    from === '*' || (to === undefined && step !== undefined) ? range.maximum : valueOf(to ?? from, range);
  const isWrong = first === undefined || last === undefined || last < first || Number(step ?? 1) === 0;
  if (isWrong || (from === '*' && to !== undefined)) return undefined;
  const count = Math.floor((last - first) / Number(step ?? 1)) + 1;
  return Array.from({ length: count }, (_, index) => first + index * Number(step ?? 1));
}

/** The value of a number or a name; undefined if it is neither, or out of range. */
export function valueOf(text: string, { minimum, maximum, names = [] }: FieldRange): number | undefined {
  const named = names.indexOf(text.toUpperCase());
  if (named !== -1) return minimum + named;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : undefined;
}
