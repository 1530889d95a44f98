import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextReadyAt, previewOf } from '../../../../shared/capacity/schedules/preview.ts';
import { schedule } from './support.ts';

const at = (text: string): number => Date.parse(text);
const preview = (now: string, given = schedule(), count = 2) =>
  previewOf(given, { now: at(now), leadSeconds: 600, count });

describe('the preview of a schedule', () => {
  it('has the times of the next holds', () => {
    expect(preview('2026-11-24T10:00:00Z', schedule({ timeZone: 'Asia/Kolkata' }), 1)).toEqual([
      {
        kind: 'hold',
        localTime: '2026-11-25T08:00:00',
        madeAt: at('2026-11-25T02:20:00Z'),
        readyAt: at('2026-11-25T02:30:00Z'),
        until: at('2026-11-25T04:30:00Z'),
      },
    ]);
  });

  it('is of the future only: not of a hold that is in force', () => {
    const days = (now: string) => preview(now).map(({ localTime }) => localTime.slice(8, 10));
    expect(days('2026-11-24T07:59:59Z')).toEqual(['24', '25']);
    expect(days('2026-11-24T08:00:00Z')).toEqual(['25', '26']);
    expect(days('2026-11-24T09:59:59Z')).toEqual(['25', '26']);
  });

  it('begins with the time whose hold is already made, ahead of it', () => {
    expect(preview('2026-11-24T07:55:00Z', schedule(), 1)).toMatchObject([
      { localTime: '2026-11-24T08:00:00', madeAt: at('2026-11-24T07:50:00Z') },
    ]);
  });

  it('shows no past time, whatever the schedule and the moment', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
        fc.integer({ min: 60, max: 7 * 24 * 3600 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'),
        (now, durationSeconds, timeZone) => {
          const found = previewOf(schedule({ timeZone }, { durationSeconds }), {
            now,
            leadSeconds: 600,
            count: 5,
          });
          expect(found).toHaveLength(5);
          for (const one of found) if (one.kind === 'hold') expect(one.readyAt).toBeGreaterThan(now);
        },
      ),
    );
  });

  it('has the requested number of times, also none, and fewer if the schedule ends', () => {
    expect(preview('2026-11-24T00:00:00Z', schedule(), 3)).toHaveLength(3);
    expect(preview('2026-11-24T00:00:00Z', schedule(), 0)).toEqual([]);
    expect(preview('2026-11-24T00:00:00Z', schedule({ expression: 'at(2026-12-01T08:00:00)' }))).toHaveLength(
      1,
    );
  });

  it('includes exceptions and times that clocks skip', () => {
    const night = schedule(
      { expression: 'cron(30 2 * * ? *)', timeZone: 'Europe/Berlin' },
      { exceptions: ['2027-03-27'] },
    );
    expect(preview('2027-03-27T00:00:00Z', night, 3)).toMatchObject([
      { kind: 'exception', localTime: '2027-03-27T02:30:00' },
      { kind: 'left-out', localTime: '2027-03-28T02:30:00' },
      { kind: 'hold', localTime: '2027-03-29T02:30:00' },
    ]);
  });
});

describe('the next time at which nodes should be Ready', () => {
  it('is after now, even during a hold', () => {
    expect(nextReadyAt(schedule(), at('2026-11-24T07:59:59Z'))).toBe(at('2026-11-24T08:00:00Z'));
    expect(nextReadyAt(schedule(), at('2026-11-24T08:00:00Z'))).toBe(at('2026-11-25T08:00:00Z'));
  });

  it('skips exceptions', () => {
    const given = schedule({}, { exceptions: ['2026-11-25'] });
    expect(nextReadyAt(given, at('2026-11-24T08:00:00Z'))).toBe(at('2026-11-26T08:00:00Z'));
  });

  it.each([
    ['is paused', schedule({ enabled: false })],
    ['has ended', schedule({ expression: 'at(2026-01-01T08:00:00)' })],
    [
      'has an exception for its only day',
      schedule({ expression: 'at(2026-12-24T08:00:00)' }, { exceptions: ['2026-12-24'] }),
    ],
  ])('is undefined if the schedule %s', (_, given) => {
    expect(nextReadyAt(given, at('2026-11-24T08:00:00Z'))).toBeUndefined();
  });
});
