/** A span of the test: days from 0 (Sunday), minutes since midnight. */
export interface PlainSpan {
  readonly days: readonly number[];
  readonly start: number;
  /** On the next day if it is before the start. */
  readonly end: number;
}

/** The latest time that clocks have shown so far. */
interface Shown {
  readonly day: number;
  readonly minutes: number;
}

const minute = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const texts = new Map<string, string>();

/** `2026-11-29 04:05` */
function textAt(moment: number, timeZone: string): string {
  const key = `${timeZone} ${moment}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  const text = format.format(moment);
  texts.set(key, text);
  return text;
}

/**
 * What the clocks of a zone have shown at the latest, from a moment on, minute by minute. It reads one clock after the other, and
 * knows nothing of offsets. It begins a day earlier, for clocks that were set back before.
 */
export function clocksOf(timeZone: string, from: number): { readonly next: () => Shown } {
  let latest = '';
  const look = (moment: number): void => {
    const text = textAt(moment, timeZone);
    if (text > latest) latest = text;
  };
  let at = from - 1440 * minute;
  for (; at < from; at += minute) look(at);
  return {
    next: () => {
      look(at);
      at += minute;
      const [date = '', time = ''] = latest.split(' ');
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      return { day: new Date(`${date}T00:00:00Z`).getUTCDay(), minutes: hours * 60 + minutes };
    },
  };
}

/** Whether one of the spans has begun at the latest time that clocks have shown, and has not ended. */
export const isOpenOn = (spans: readonly PlainSpan[], { day, minutes }: Shown): boolean =>
  spans.some(({ days, start, end }) => {
    if (start < end) return days.includes(day) && start <= minutes && minutes < end;
    return (days.includes(day) && start <= minutes) || (days.includes((day + 6) % 7) && minutes < end);
  });
