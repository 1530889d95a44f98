import type { Day } from './cron.ts';
import { parseField, parseValue } from './cron-fields.ts';

type DayTest = (day: Day) => boolean;

const weekdays = { minimum: 1, maximum: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] };
const monthDays = { minimum: 1, maximum: 31 };

/** The two day fields as one question; exactly one of them is `?`. Undefined when they are not valid. */
export function dayTest(dayOfMonth: string, dayOfWeek: string): DayTest | undefined {
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) return undefined;
  return dayOfMonth === '?' ? dayOfWeekTest(dayOfWeek) : dayOfMonthTest(dayOfMonth);
}

/** `L`: the last day; `15W`: the weekday nearest to the 15th, in its month. */
function dayOfMonthTest(field: string): DayTest | undefined {
  if (field === 'L') return (day) => day.day === lastDay(day);
  const nearest = /^(\d+)W$/.exec(field)?.[1];
  if (nearest !== undefined) return (day) => day.day === nearestWeekday(day, Number(nearest));
  const days = parseField(field, monthDays);
  if (days === undefined) return undefined;
  const wanted = new Set(days);
  return (day) => wanted.has(day.day);
}

/** `6L`: the last Friday; `6#3`: the third. 1 is Sunday. */
function dayOfWeekTest(field: string): DayTest | undefined {
  const [, lastOf, nthOf, nth] = /^(?:(\w+)L|(\w+)#([1-5]))$/.exec(field) ?? [];
  if (lastOf !== undefined) return lastWeekdayTest(parseValue(lastOf, weekdays));
  if (nthOf !== undefined) return nthWeekdayTest(parseValue(nthOf, weekdays), Number(nth));
  const days = parseField(field === 'L' ? 'SAT' : field, weekdays);
  if (days === undefined) return undefined;
  const wanted = new Set(days);
  return (day) => wanted.has(weekday(day));
}

const lastWeekdayTest = (wanted: number | undefined): DayTest | undefined =>
  wanted === undefined ? undefined : (day) => weekday(day) === wanted && day.day > lastDay(day) - 7;

const nthWeekdayTest = (wanted: number | undefined, nth: number): DayTest | undefined =>
  wanted === undefined ? undefined : (day) => weekday(day) === wanted && Math.ceil(day.day / 7) === nth;

/** 1 (Sunday) to 7. */
const weekday = ({ year, month, day }: Day): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;

const lastDay = ({ year, month }: Day): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

function nearestWeekday(month: Day, wanted: number): number {
  const last = lastDay(month);
  const day = Math.min(wanted, last);
  const onWeekday = weekday({ ...month, day });
  if (onWeekday === 7) return day === 1 ? 3 : day - 1;
  if (onWeekday === 1) return day === last ? day - 2 : day + 1;
  return day;
}
