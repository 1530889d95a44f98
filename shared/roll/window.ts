import { firstMomentFrom, isTimeZone, wallClockAt } from '../capacity/schedules/time-zone.ts';

/** Recurring times of the week. It is open during each of its spans. */
export type MaintenanceWindow = readonly Span[];

/** A span of time that begins on some days of the week. */
interface Span {
  /** 0 is Sunday. */
  readonly days: readonly number[];
  readonly startMinutes: number;
  /** From the midnight before the start: more than a day's if it ends on the next day. */
  readonly endMinutes: number;
  readonly timeZone: string;
}

export type WindowReading =
  | { readonly kind: 'window'; readonly window: MaintenanceWindow }
  | { readonly kind: 'invalid'; readonly why: string };

type SpanReading =
  | { readonly kind: 'span'; readonly span: Span; readonly namesZone: boolean }
  | { readonly kind: 'invalid'; readonly why: string };

const invalid = (why: string) => ({ kind: 'invalid', why }) as const;

const example = 'Mon-Fri 09:00-16:00 Europe/Berlin';

/**
 * Reads `Mon-Fri 09:00-16:00 Europe/Berlin`, or several such spans separated by semicolons.
 * - Days are ranges and lists (`Mon,Wed`, `Sat-Mon`); without them it is every day. Upper and lower case are the same.
 * - An end before the start is on the next day: `Fri 22:00-04:00` ends on Saturday. `24:00` is only an end. Equal times are refused, because
 *   they could mean a whole day or nothing; `00:00-24:00` is a whole day.
 * - The time zone is a name of the IANA database and defaults to UTC. Several spans must all name it, or none of them.
 * - `9:00`, further spaces and the en dash of word processors are accepted.
 */
export function parseWindow(text: string): WindowReading {
  const readings = text.split(';').map(parseSpan);
  const wrong = readings.find((reading) => reading.kind === 'invalid');
  if (wrong) return wrong;
  const spans = readings.filter((reading) => reading.kind === 'span');
  if (new Set(spans.map(({ namesZone }) => namesZone)).size > 1)
    return invalid('some of its spans name a time zone and others do not: name it in each');
  return { kind: 'window', window: spans.map(({ span }) => span) };
}

function parseSpan(text: string): SpanReading {
  const [, days, start = '', end = '', timeZone] =
    /^(?:([a-z][a-z,-]*) )?(\d\d?:\d\d)-(\d\d?:\d\d)(?: (\S+))?$/i.exec(plainSpelling(text)) ?? [];
  if (start === '') return invalid(`it must be such as ${example}`);
  const unknownDay = days?.split(/[,-]/).find((day) => dayOf(day) === undefined);
  if (unknownDay !== undefined) return invalid(`"${unknownDay}" is not a day: write ${dayNames.join(', ')}`);
  const dayNumbers = days === undefined ? everyDay : daysIn(days);
  if (dayNumbers === undefined) return invalid(`"${days}" is not a list of days or ranges of days`);
  const [startMinutes, endMinutes] = [minutesOf(start), minutesOf(end)];
  if (startMinutes === undefined || startMinutes === dayMinutes)
    return invalid(`it cannot start at ${start}: write a time from 00:00 to 23:59`);
  if (endMinutes === undefined) return invalid(`it cannot end at ${end}: write a time from 00:00 to 24:00`);
  if (startMinutes === endMinutes)
    return invalid(`${start}-${end} has no length: a whole day is 00:00-24:00`);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return invalid(`there is no time zone ${timeZone}: write one such as Europe/Berlin or UTC`);
  const span = {
    days: dayNumbers,
    startMinutes,
    endMinutes: endMinutes < startMinutes ? endMinutes + dayMinutes : endMinutes,
    timeZone: timeZone ?? 'UTC',
  };
  return { kind: 'span', span, namesZone: timeZone !== undefined };
}

/** One space between words, and none beside dashes and commas. */
const plainSpelling = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?[-–] ?/g, '-')
    .replaceAll(/ ?, ?/g, ',');

const dayMinutes = 24 * 60;

/** Minutes since midnight of `9:00` or `24:00`; undefined if it is not a time. */
function minutesOf(time: string): number | undefined {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = hour * 60 + minute;
  return minute < 60 && minutes <= dayMinutes ? minutes : undefined;
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const everyDay = dayNames.map((_, day) => day);

function dayOf(name: string): number | undefined {
  const day = dayNames.findIndex((known) => known.toLowerCase() === name.toLowerCase());
  return day === -1 ? undefined : day;
}

/** The days of `Mon-Wed,Fri`, each name of which is known. A range may pass the end of the week. */
function daysIn(list: string): readonly number[] | undefined {
  const ranges = list.split(',').map((item) => {
    const [first = 0, last = first, ...more] = item.split('-').map((name) => dayOf(name));
    const count = (((last - first) % 7) + 7) % 7;
    return more.length > 0 ? undefined : Array.from({ length: count + 1 }, (_, index) => (first + index) % 7);
  });
  return ranges.some((days) => days === undefined) ? undefined : ranges.flatMap((days) => days ?? []);
}

/** Whether a window is open at a moment. Times are epoch milliseconds. */
export type WindowState =
  /** `closesAt` is undefined if it does not close within two weeks. */
  | { readonly isOpen: true; readonly closesAt?: number }
  | { readonly isOpen: false; readonly opensAt: number };

/**
 * Whether the window is open, and when that changes next. Pure.
 *
 * A span begins at the first moment at which clocks in its zone show its start or a later time, and ends at the first moment at which they
 * show its end or a later time. So in autumn the first of two equal times counts, and no span is entered twice, as with EventBridge
 * Scheduler and cron(8), which run a repeated time once. In spring a start that clocks skip is the moment of the change, as in Debian's cron(8).
 * EventBridge Scheduler leaves such a time out: a span would then not be open at all on that day, although most of it exists.
 * If clocks skip a whole span, it is not open on that day.
 */
export function windowAt(window: MaintenanceWindow, now: number): WindowState {
  const ahead = window.flatMap((span) => occurrencesOf(span, now)).filter(({ closesAt }) => closesAt > now);
  let end = now;
  for (const { opensAt, closesAt } of ahead.toSorted((one, other) => one.opensAt - other.opensAt))
    if (opensAt <= end) end = Math.max(end, closesAt);
  if (end === now) return { isOpen: false, opensAt: Math.min(...ahead.map(({ opensAt }) => opensAt)) };
  return end > now + lookAheadDays * dayMilliseconds ? { isOpen: true } : { isOpen: true, closesAt: end };
}

interface Occurrence {
  readonly opensAt: number;
  readonly closesAt: number;
}

const minuteMilliseconds = 60_000;
const dayMilliseconds = dayMinutes * minuteMilliseconds;

/** Clocks may skip one occurrence of a weekly span, never two in a row. */
const lookAheadDays = 14;

/** The occurrences from the one that began yesterday on. */
function occurrencesOf({ days, startMinutes, endMinutes, timeZone }: Span, now: number): Occurrence[] {
  const today = Math.floor(wallClockAt(now, timeZone) / dayMilliseconds) * dayMilliseconds;
  return Array.from({ length: lookAheadDays + 3 }, (_, index) => today + (index - 1) * dayMilliseconds)
    .filter((midnight) => days.includes(new Date(midnight).getUTCDay()))
    .map((midnight) => ({
      opensAt: firstMomentFrom(midnight + startMinutes * minuteMilliseconds, timeZone),
      closesAt: firstMomentFrom(midnight + endMinutes * minuteMilliseconds, timeZone),
    }))
    .filter(({ opensAt, closesAt }) => opensAt < closesAt);
}
