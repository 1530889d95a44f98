import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dateOf,
  isTimeZone,
  momentOf,
  wallClockAt,
  wallClockText,
} from '../../../../shared/capacity/schedules/time-zone.ts';

const at = (text: string): number => Date.parse(text);
const shown = (moment: string, timeZone: string): string => wallClockText(wallClockAt(at(moment), timeZone));

describe('a time zone', () => {
  it('is a name of the IANA database, not an offset', () => {
    expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].filter(isTimeZone)).toHaveLength(3);
    expect(['Europe/Atlantis', '+02:00', '', 'Mars', '1Europe/Berlin'].filter(isTimeZone)).toEqual([]);
  });
});

describe('a clock', () => {
  it.each([
    ['UTC', '2026-07-01T12:00:00'],
    ['Europe/Berlin', '2026-07-01T14:00:00'],
    ['America/New_York', '2026-07-01T08:00:00'],
    ['Asia/Kolkata', '2026-07-01T17:30:00'],
    ['America/St_Johns', '2026-07-01T09:30:00'],
    ['Pacific/Kiritimati', '2026-07-02T02:00:00'],
  ])('of %s shows at noon of UTC %s', (timeZone, text) => {
    expect(shown('2026-07-01T12:00:00Z', timeZone)).toBe(text);
  });

  it('of a time before standard time also shows the seconds of its offset', () => {
    expect(shown('1880-01-01T00:00:00Z', 'Europe/Berlin')).toBe('1880-01-01T00:53:28');
  });

  it('has a date', () => {
    expect(dateOf(at('2026-12-25T23:59:59Z'))).toBe('2026-12-25');
  });
});

describe('the moment of a time on a clock', () => {
  const moment = (text: string, timeZone = 'Europe/Berlin'): string | undefined => {
    const found = momentOf(at(`${text}Z`), timeZone);
    return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
  };

  it.each([
    ['before spring', '2027-03-28T01:59', '2027-03-28T00:59'],
    ['that spring leaves out', '2027-03-28T02:00', undefined],
    ['that spring leaves out last', '2027-03-28T02:59', undefined],
    ['after spring', '2027-03-28T03:00', '2027-03-28T01:00'],
    ['that autumn repeats, the first of both', '2026-10-25T02:00', '2026-10-25T00:00'],
    ['after autumn', '2026-10-25T03:00', '2026-10-25T02:00'],
  ])('%s is found in Berlin', (_, text, found) => {
    expect(moment(text)).toBe(found);
  });

  it('that clocks repeat in autumn is the first one, also west of UTC', () => {
    expect(moment('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30');
    expect(moment('2027-03-14T02:30', 'America/New_York')).toBeUndefined();
  });

  it('shows that time again, for every time that clocks show', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 2 ** 31 }), (timeZone, seconds) => {
        const wallClock = wallClockAt(seconds * 1000, timeZone);
        const found = momentOf(wallClock, timeZone);
        expect(found).toBeLessThanOrEqual(seconds * 1000);
        expect(wallClockAt(found ?? 0, timeZone)).toBe(wallClock);
      }),
    );
  });
});
