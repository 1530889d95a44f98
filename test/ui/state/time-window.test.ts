import { afterEach, describe, expect, it, vi } from 'vitest';
import { floorSteps } from '../../../ui/state/floor-steps.ts';
import { percentOf, tickLabel, ticksOf, windowOf } from '../../../ui/state/time-window.ts';
import { capacity, now } from '../states.ts';

const minute = 60_000;
const quiet = capacity({ holds: [], schedules: [] });

describe('the window of the time line', () => {
  it('is ten minutes if nothing is held', () => {
    const { from, to } = windowOf([quiet], now);
    expect(to - from).toBe(10 * minute);
    expect(from).toBeLessThan(now);
  });

  it('reaches to the end of every hold and of the next occurrence of every schedule', () => {
    const { to } = windowOf([capacity()], now);
    expect(to).toBeGreaterThan(now + 5_400_000);
    expect(to).toBeLessThan(now + 3 * 60 * minute);
  });

  it('moves by whole minutes, so that bars do not tremble', () => {
    expect(windowOf([quiet], now + 20_000)).toEqual(windowOf([quiet], now));
  });

  it('has at most nine labels, on whole steps', () => {
    for (const until of [1, 20, 90, 600, 5000, 40_000]) {
      const [hold] = capacity().holds;
      const window = windowOf(
        [{ ...quiet, holds: hold ? [{ ...hold, until: now + until * minute }] : [] }],
        now,
      );
      expect(ticksOf(window).length).toBeLessThanOrEqual(9);
      expect(ticksOf(window).every((at) => at % minute === 0)).toBe(true);
    }
  });

  it('labels with the time, and with the day if it spans days', () => {
    expect(tickLabel(now, { from: now, to: now + 60 * minute })).toBe('08:00');
    expect(tickLabel(now, { from: now, to: now + 48 * 60 * minute })).toBe('Mon 08:00');
    expect(tickLabel(now, { from: now, to: now + 30 * 24 * 60 * minute })).toBe('Mon 5');
  });

  it('keeps what is outside at its edges', () => {
    const window = { from: now, to: now + 10 * minute };
    expect([now - minute, now + 5 * minute, now + 20 * minute].map((at) => percentOf(at, window))).toEqual([
      0, 50, 100,
    ]);
  });
});

describe('the floor over time', () => {
  it('is the base, then the hold, then what the schedule asks for, and not what is paused', () => {
    const window = { from: now - 10 * minute, to: now + 120 * minute };
    expect(floorSteps(capacity(), window)).toEqual([
      { at: window.from, floor: 1 },
      { at: now - 2 * minute, floor: 4 },
      { at: now + 15 * minute, floor: 1 },
      { at: now + 25 * minute, floor: 6 },
      { at: now + 90 * minute, floor: 1 },
    ]);
  });

  it('is not raised by a paused schedule', () => {
    const paused = capacity({ holds: [], schedules: capacity().schedules.filter((each) => each.paused) });
    const window = { from: now, to: now + 120 * minute };
    expect(floorSteps(paused, window)).toEqual([{ at: now, floor: 1 }]);
  });

  it('forgets a hold that was ended', () => {
    const [hold] = capacity().holds;
    const ended = capacity({ schedules: [], holds: hold ? [{ ...hold, state: 'over' }] : [] });
    expect(floorSteps(ended, { from: now, to: now + minute })).toEqual([{ at: now, floor: 1 }]);
  });
});

describe('the labels of time', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are in UTC on a machine on which it is tomorrow already', () => {
    // A worker's own TZ does not reach its clock.
    vi.spyOn(Date.prototype, 'getDay').mockReturnValue(2);
    vi.spyOn(Date.prototype, 'getDate').mockReturnValue(6);
    vi.spyOn(Date.prototype, 'getHours').mockReturnValue(13);
    const at = Date.UTC(2026, 0, 5, 23);
    expect(tickLabel(at, { from: at, to: at + 60 * minute })).toBe('23:00');
    expect(tickLabel(at, { from: at, to: at + 3 * 1440 * minute })).toBe('Mon 23:00');
    expect(tickLabel(at - 1380 * minute, { from: at, to: at + 8 * 1440 * minute })).toBe('Mon 5');
  });
});
