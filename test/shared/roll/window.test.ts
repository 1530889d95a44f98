import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MaintenanceWindow, parseWindow, windowAt } from '../../../shared/roll/window.ts';
import { clocksOf, isOpenOn, type PlainSpan } from './minute-by-minute.ts';

const minute = 60_000;

function read(text: string): MaintenanceWindow {
  const reading = parseWindow(text);
  if (reading.kind === 'invalid') throw new Error(`${text}: ${reading.why}`);
  return reading.window;
}

const why = (text: string): string | undefined => {
  const reading = parseWindow(text);
  return reading.kind === 'invalid' ? reading.why : undefined;
};

/** `open until` or `closed until`, and the time in UTC to the minute. */
function state(text: string, now: string): string {
  const found = windowAt(read(text), Date.parse(now));
  if (!found.isOpen) return `closed until ${shortly(found.opensAt)}`;
  return found.closesAt === undefined ? 'always open' : `open until ${shortly(found.closesAt)}`;
}

const shortly = (at: number): string => new Date(at).toISOString().slice(0, 16);

describe('the text of a window', () => {
  it('has days, times and a time zone', () => {
    expect(read('Mon-Fri 09:00-16:00 Europe/Berlin')).toEqual([
      { days: [1, 2, 3, 4, 5], startMinutes: 540, endMinutes: 960, timeZone: 'Europe/Berlin' },
    ]);
  });

  it.each([
    ['Mon,Wed 09:00-16:00', [1, 3]],
    ['Sat-Mon 09:00-16:00', [6, 0, 1]],
    ['Mon-Tue,Fri-Sat 09:00-16:00', [1, 2, 5, 6]],
    ['Sun-Sun 09:00-16:00', [0]],
    ['09:00-16:00', [0, 1, 2, 3, 4, 5, 6]],
  ])('%s has its days', (text, days) => {
    expect(read(text).map((span) => span.days)).toEqual([days]);
  });

  it.each([
    'mon-FRI 09:00-16:00 Europe/Berlin',
    'Mon-Fri 9:00-16:00 Europe/Berlin',
    '  Mon - Fri   09:00 - 16:00\tEurope/Berlin ',
    'Mon–Fri 09:00–16:00 Europe/Berlin',
  ])('is also understood as "%s"', (text) => {
    expect(read(text)).toEqual(read('Mon-Fri 09:00-16:00 Europe/Berlin'));
  });

  it('may have spaces after commas, and a time zone with dashes', () => {
    expect(read('Mon, Wed 09:00-16:00 America/Port-au-Prince')).toEqual(
      read('Mon,Wed 09:00-16:00 America/Port-au-Prince'),
    );
  });

  it('is in UTC without a time zone', () => {
    expect(read('09:00-16:00')).toEqual(read('09:00-16:00 UTC'));
  });

  it('may end at 24:00, but not start there', () => {
    expect(read('22:00-24:00')).toEqual(read('22:00-00:00'));
    expect(why('24:00-04:00')).toContain('cannot start at 24:00');
  });

  it.each([
    ['', 'such as Mon-Fri 09:00-16:00 Europe/Berlin'],
    ['Mon-Fri', 'such as'],
    ['Mon-Fri 9-16', 'such as'],
    ['Mon-Fri 09:00-16:00 Europe/Berlin please', 'such as'],
    ['Mon-Fri 09:00:00-16:00:00', 'such as'],
    ['Monday-Friday 09:00-16:00', '"Monday" is not a day'],
    ['Mon,,Fri 09:00-16:00', '"" is not a day'],
    ['Mon-Wed-Fri 09:00-16:00', 'is not a list of days'],
    ['25:00-26:00', 'cannot start at 25:00'],
    ['09:60-16:00', 'cannot start at 09:60'],
    ['09:00-24:01', 'cannot end at 24:01'],
    ['09:00-09:00', 'a whole day is 00:00-24:00'],
    ['09:00-16:00 Europe/Atlantis', 'no time zone Europe/Atlantis'],
    ['09:00-16:00 +02:00', 'no time zone +02:00'],
    ['09:00-16:00;', 'such as'],
    ['Sat 10:00-12:00; Mon 09:00-16:00 Europe/Berlin', 'name it in each'],
  ])('"%s" is refused with the reason', (text, reason) => {
    expect(why(text)).toContain(reason);
  });
});

describe('a window', () => {
  const work = 'Mon-Fri 09:00-16:00 Europe/Berlin';

  it.each([
    ['before it opens', '2026-12-02T07:59:00Z', 'closed until 2026-12-02T08:00'],
    ['as it opens', '2026-12-02T08:00:00Z', 'open until 2026-12-02T15:00'],
    ['before it closes', '2026-12-02T14:59:59.999Z', 'open until 2026-12-02T15:00'],
    ['as it closes', '2026-12-02T15:00:00Z', 'closed until 2026-12-03T08:00'],
    ['on Friday evening', '2026-12-04T20:00:00Z', 'closed until 2026-12-07T08:00'],
    ['in summer', '2026-07-01T07:00:00Z', 'open until 2026-07-01T14:00'],
  ])('has its state %s', (_, now, expected) => {
    expect(state(work, now)).toBe(expected);
  });

  it('that ends on the next day belongs to the day on which it begins', () => {
    expect(state('Fri 22:00-04:00', '2026-12-05T03:00:00Z')).toBe('open until 2026-12-05T04:00');
    expect(state('Fri 22:00-04:00', '2026-12-04T03:00:00Z')).toBe('closed until 2026-12-04T22:00');
  });

  it('of spans that touch or overlap closes when the last of them ends', () => {
    expect(state('Mon 08:00-10:00; Mon 10:00-12:00; Mon 11:00-13:00', '2026-11-30T09:00:00Z')).toBe(
      'open until 2026-11-30T13:00',
    );
  });

  it('of spans in several time zones opens with the first', () => {
    expect(
      state('Mon 09:00-10:00 America/New_York; Mon 09:00-10:00 Asia/Tokyo', '2026-11-29T12:00:00Z'),
    ).toBe('closed until 2026-11-30T00:00');
  });

  it('of all times does not close', () => {
    expect(state('00:00-24:00 Europe/Berlin', '2026-12-02T15:00:00Z')).toBe('always open');
  });

  it.each([
    [
      'opens with the change if clocks skip its start',
      '02:30-04:00',
      '2027-03-28T00:59:00Z',
      'closed until 2027-03-28T01:00',
    ],
    [
      'closes with the change if clocks skip its end',
      '01:00-02:30',
      '2027-03-28T00:30:00Z',
      'open until 2027-03-28T01:00',
    ],
    ['is not open if clocks skip it', '02:10-02:50', '2027-03-28T00:59:00Z', 'closed until 2027-03-29T00:10'],
    [
      'opens at the first of two equal times',
      '02:30-04:00',
      '2026-10-25T00:29:00Z',
      'closed until 2026-10-25T00:30',
    ],
    [
      'stays open while clocks repeat times before its start',
      '02:30-04:00',
      '2026-10-25T01:10:00Z',
      'open until 2026-10-25T03:00',
    ],
    [
      'closes at the first of two equal times',
      '01:00-02:30',
      '2026-10-25T00:00:00Z',
      'open until 2026-10-25T00:30',
    ],
    ['does not open a second time', '02:10-02:50', '2026-10-25T01:20:00Z', 'closed until 2026-10-26T01:10'],
  ])('%s', (_, times, now, expected) => {
    expect(state(`${times} Europe/Berlin`, now)).toBe(expected);
  });

  it('of a day that clocks skip opens a week later', () => {
    expect(state('Fri 09:00-17:00 Pacific/Apia', '2011-12-30T09:00:00Z')).toBe(
      'closed until 2012-01-05T19:00',
    );
  });
});

describe('a window beside a walk from minute to minute', () => {
  /** Changes of clocks: by an hour, by half an hour, at midnight, over a day, by a quarter of an hour, and none. */
  const changes = [
    ['Europe/Berlin', '2027-03-28T01:00:00Z'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z'],
    ['America/New_York', '2027-03-14T07:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['America/Sao_Paulo', '2018-02-18T02:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['Asia/Kathmandu', '1985-12-31T18:30:00Z'],
    ['UTC', '2026-11-29T00:00:00Z'],
  ] as const;
  const times = fc.integer({ min: 0, max: 1439 });
  const span: fc.Arbitrary<PlainSpan> = fc
    .record({
      days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      start: times,
      end: times,
    })
    .filter(({ start, end }) => start !== end);
  const spans = fc.array(span, { minLength: 1, maxLength: 3 });
  const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  const clock = (time: number): string =>
    `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`;
  const textOf = ({ days, start, end }: PlainSpan, timeZone: string): string =>
    `${days.map((day) => dayNames[day]).join()} ${clock(start)}-${clock(end)} ${timeZone}`;

  it('is open at the same minutes, and opens or closes at the same next one', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        fc.integer({ min: -2000, max: 2000 }),
        spans,
        ([timeZone, change], minutes, plain) => {
          const now = Date.parse(change) + minutes * minute;
          const found = windowAt(read(plain.map((each) => textOf(each, timeZone)).join('; ')), now);
          const clocks = clocksOf(timeZone, now);
          const isOpen = isOpenOn(plain, clocks.next());
          expect(found.isOpen).toBe(isOpen);
          const changesAt = found.isOpen ? found.closesAt : found.opensAt;
          for (
            let at = now + minute;
            at < Math.min(changesAt ?? Infinity, now + 8 * 1440 * minute);
            at += minute
          )
            if (isOpenOn(plain, clocks.next()) !== isOpen) expect.fail(`changes at ${shortly(at)}`);
          if (changesAt !== undefined && changesAt < now + 8 * 1440 * minute)
            expect(isOpenOn(plain, clocks.next())).not.toBe(isOpen);
        },
      ),
      { numRuns: 400 },
    );
  });
});
