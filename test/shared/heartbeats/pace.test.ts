import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace } from '../../../shared/heartbeats/pace.ts';

/** How many urgent calls a second are admitted over a minute, if AWS accepts so many a second. */
function admittedPerSecond(limit: number): number {
  const pace = createPace();
  let admitted = 0;
  let tokens = 20;
  for (let tenth = 0; tenth < 3000; tenth += 1) {
    tokens = Math.min(20, tokens + limit / 10);
    for (let call = 0; call < 10; call += 1) {
      if (pace.take(tenth * 100, { isUrgent: true }) > 0) continue;
      if (tenth >= 2400) admitted += 1;
      if (tokens >= 1) {
        tokens -= 1;
        pace.accepted();
      } else pace.refused(tenth * 100);
    }
  }
  return admitted / 60;
}

describe('the pace of heartbeats', () => {
  it('allows a few calls at once, and then five a second', () => {
    const pace = createPace();
    const taken = Array.from({ length: 6 }, () => pace.take(0));
    expect(taken.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(taken[5]).toBeCloseTo(0.2);
    expect(pace.take(200)).toBe(0);
  });

  it('is slower for urgent calls after each refusal, and stops at once', () => {
    const pace = createPace();
    pace.refused(0);
    expect(pace.take(0, { isUrgent: true })).toBeCloseTo(1 / 4);
  });

  it('leaves what AWS accepts to urgent calls and to the passes for 15 seconds after a refusal', () => {
    const pace = createPace();
    pace.refused(0);
    expect(pace.take(1000)).toBe(14);
    expect(pace.take(1000, { isUrgent: true })).toBe(0);
    expect(pace.take(14_999)).toBeGreaterThan(0);
    expect(pace.take(15_000)).toBe(0);
  });

  it('keeps its slots for urgent calls for 15 seconds after one found none', () => {
    const pace = createPace();
    while (pace.take(0) === 0);
    expect(pace.take(0, { isUrgent: true })).toBeCloseTo(1 / 5);
    expect(pace.take(1000)).toBe(14);
    expect(pace.take(1000, { isUrgent: true })).toBe(0);
    expect(pace.take(15_000)).toBe(0);
  });

  it('reserves slots for 15 seconds at most after the clock was set back', () => {
    const pace = createPace();
    pace.refused(3_600_000);
    expect(pace.take(0)).toBe(15);
  });

  it('never stops for good, however often AWS refuses', () => {
    const pace = createPace();
    for (let count = 0; count < 1000; count += 1) pace.refused(0);
    expect(pace.take(0, { isUrgent: true })).toBeLessThanOrEqual(1);
    expect(pace.take(1000, { isUrgent: true })).toBe(0);
    expect(pace.take(15_000)).toBe(0);
  });

  it.each([2, 5, 10])('settles near what AWS accepts: %s a second', (limit) => {
    const admitted = admittedPerSecond(limit);
    expect(admitted).toBeGreaterThan(limit * 0.8);
    expect(admitted).toBeLessThan(limit * 1.5);
  });

  it('gives a time after which there is a slot, whatever happened before', () => {
    const events = fc.array(fc.constantFrom('take', 'accepted', 'refused'), { maxLength: 200 });
    fc.assert(
      fc.property(events, (history) => {
        const pace = createPace();
        for (const event of history) {
          if (event === 'take') pace.take(0);
          else if (event === 'refused') pace.refused(0);
          else pace.accepted();
        }
        const seconds = pace.take(0);
        expect(seconds === 0 ? 0 : pace.take(seconds * 1000 + 1)).toBe(0);
      }),
    );
  });
});
