const localForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})$/;

/** A day that its month does not have is none: `Date` would take it for one of the next month. */
export function isLocalTime(text: string): boolean {
  const moment = localForm.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

export function isTimeZone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
}

/** What clocks in the zone show then: `2026-11-21T09:00:00`. */
export function toLocal(milliseconds: number, timeZone: string): string {
  const parts = new Map(
    formatter(timeZone)
      .formatToParts(milliseconds)
      .map(({ type, value }) => [type, value]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${read('year')}-${read('month')}-${read('day')}T${read('hour')}:${read('minute')}:${read('second')}`;
}

/** When clocks in the zone show this, the first time in autumn; undefined for an hour that spring leaves out. */
export function toUtc(local: string, timeZone: string): number | undefined {
  const asIfUtc = Date.parse(`${local}Z`);
  const day = 86_400_000;
  const offsets = [asIfUtc - day, asIfUtc + day].map(
    (moment) => Date.parse(`${toLocal(moment, timeZone)}Z`) - moment,
  );
  const candidates = offsets.map((offset) => asIfUtc - offset).sort((one, other) => one - other);
  return candidates.find((candidate) => toLocal(candidate, timeZone) === local);
}
