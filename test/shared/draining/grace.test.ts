import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadlineGraceSeconds, deletesAt } from '../../../shared/draining/plan-drain.ts';
import { pod } from '../../support/pods.ts';

const deadline = Date.parse('2026-11-21T12:00:00Z');
const grace = (secondsBefore: number, parts: Parameters<typeof pod>[0] = {}, gracePeriodSeconds?: number) =>
  deadlineGraceSeconds(pod(parts), { now: deadline - secondsBefore * 1000, deadline, gracePeriodSeconds });

describe('the deadline rule', () => {
  it('deletes a pod at the deadline less its own grace, with that grace', () => {
    expect(grace(31)).toBeUndefined();
    expect(grace(30)).toBe(30);
    expect(deletesAt(pod(), { now: 0, deadline })).toBe(deadline - 30_000);
  });

  it('gives the grace that still fits if it is late, and never less than a second', () => {
    expect(grace(12.5)).toBe(12);
    expect(grace(0)).toBe(1);
    expect(grace(-500)).toBe(1);
    expect(grace(0, { graceSeconds: 0 })).toBe(1);
  });

  it('uses the default of 30 s for a pod without a grace', () => {
    expect(grace(30, { spec: { terminationGracePeriodSeconds: undefined } })).toBe(30);
  });

  it('uses the operator’s grace instead of the pod’s', () => {
    expect(grace(30, {}, 5)).toBeUndefined();
    expect(grace(5, {}, 5)).toBe(5);
  });

  it('deletes nothing without a deadline', () => {
    expect(deadlineGraceSeconds(pod(), { now: deadline })).toBeUndefined();
    expect(deadlineGraceSeconds(pod(), { now: deadline, deadline: Infinity })).toBeUndefined();
  });

  it('leaves a pod alone that terminates in time, and shortens the grace of one that does not', () => {
    expect(grace(10, { terminatesAt: deadline })).toBeUndefined();
    expect(grace(10, { terminatesAt: deadline + 20_000 })).toBe(10);
  });

  it('counts a timestamp rounded to whole seconds as in time, and a later one as late', () => {
    expect(grace(10, { terminatesAt: deadline + 1000 })).toBeUndefined();
    expect(grace(10, { terminatesAt: deadline + 2000 })).toBe(10);
  });

  it('gives a late pod its grace up to the limit if that is after the deadline', () => {
    const late = (limit: number, parts: Parameters<typeof pod>[0] = {}) =>
      deadlineGraceSeconds(pod(parts), { now: deadline + 60_000, deadline, limit });
    expect(late(deadline + 80_000)).toBe(20);
    expect(late(deadline + 600_000)).toBe(30);
    expect(late(deadline - 5000)).toBe(1);
    expect(late(deadline + 80_000, { terminatesAt: deadline + 80_000 })).toBeUndefined();
    expect(late(deadline + 80_000, { terminatesAt: deadline + 90_000 })).toBe(20);
  });

  it('does not delete a pod again that is in its last second', () => {
    const late = deadline + 60_000;
    expect(deadlineGraceSeconds(pod({ terminatesAt: late + 1000 }), { now: late, deadline })).toBeUndefined();
  });

  it('never gives more than the pod’s own, never less than one, and never ends past the deadline but for that one', () => {
    const world = fc.record({ own: fc.nat(600), early: fc.integer({ min: -100, max: 1000 }) });
    fc.assert(
      fc.property(world, ({ own, early }) => {
        const seconds = grace(early, { graceSeconds: own });
        expect(seconds === undefined).toBe(early > own);
        if (seconds === undefined) return;
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(Math.max(1, own));
        expect(seconds).toBeLessThanOrEqual(Math.max(1, early));
      }),
    );
  });
});
