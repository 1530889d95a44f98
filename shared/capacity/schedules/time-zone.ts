/** The time that a clock shows, as the epoch milliseconds at which a clock of UTC shows the same. Calendars then need no time zone. */
export type WallClock = number;

const offsets = new Map<string, Intl.DateTimeFormat>();

/** Whether it is a name of the IANA database. `Intl` also accepts offsets such as `+02:00`, which EventBridge Scheduler does not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    offsetFormat(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Creating a format takes much longer than using it. */
function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  const known = offsets.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  offsets.set(timeZone, made);
  return made;
}

/** The offset of the zone from UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const text = offsetFormat(timeZone).format(moment);
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const size = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** The time that clocks in the zone show at a moment. */
export const wallClockAt = (moment: number, timeZone: string): WallClock =>
  moment + offsetAt(moment, timeZone);

const dayMilliseconds = 86_400_000;

/**
 * The moment at which clocks in the zone show this time for the first time: in autumn they show an hour twice. Undefined for a time that
 * clocks skip.
 */
export const momentOf = (wallClock: WallClock, timeZone: string): number | undefined =>
  candidatesOf(wallClock, timeZone).find((moment) => wallClockAt(moment, timeZone) === wallClock);

/** The moments at which clocks show this time if their offset is that before, or that after, a change of clocks; the earlier one first. */
function candidatesOf(wallClock: WallClock, timeZone: string): readonly [number, number] {
  // An offset lasts for days at least, so there is at most one change between these two moments.
  const before = wallClock - offsetAt(wallClock - dayMilliseconds, timeZone);
  const after = wallClock - offsetAt(wallClock + dayMilliseconds, timeZone);
  return [Math.min(before, after), Math.max(before, after)];
}

/** The first moment at which clocks in the zone show this time or a later one: for a time that they skip, the moment of the change. */
export function firstMomentFrom(wallClock: WallClock, timeZone: string): number {
  const shown = momentOf(wallClock, timeZone);
  if (shown !== undefined) return shown;
  let [earlier, later] = candidatesOf(wallClock, timeZone);
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (wallClockAt(middle, timeZone) < wallClock) earlier = middle;
    else later = middle;
  }
  return later;
}

/** `2026-12-25` */
export const dateOf = (wallClock: WallClock): string => new Date(wallClock).toISOString().slice(0, 10);

/** `2026-12-25T08:00:00` */
export const wallClockText = (wallClock: WallClock): string => new Date(wallClock).toISOString().slice(0, 19);
