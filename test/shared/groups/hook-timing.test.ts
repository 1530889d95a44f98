import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  globalTimeoutSecondsOf,
  heartbeatIntervalSeconds,
  leavingDeadlines,
} from '../../../shared/groups/hook-timing.ts';

const since = Date.UTC(2026, 0, 1);
const minutes = 60_000;

describe('the deadline of a leaving node', () => {
  it('is the drain timeout when nothing ends the wait earlier', () => {
    const { deadline, limit } = leavingDeadlines({ since, drainTimeoutSeconds: 900 });
    expect(deadline).toBe(since + 15 * minutes);
    expect(limit).toBe(Infinity);
  });

  it('is half a minute before the global timeout of the hook when that comes first', () => {
    const { deadline, limit } = leavingDeadlines({
      since,
      drainTimeoutSeconds: 7200,
      wait: { since, globalTimeoutSeconds: 3000 },
    });
    expect(limit).toBe(since + 2970_000);
    expect(deadline).toBe(limit);
  });

  it('counts the global timeout from the beginning of the wait, and the drain timeout from the mark', () => {
    const times = { since, drainTimeoutSeconds: 900 };
    const wait = { since: since + 20 * minutes, globalTimeoutSeconds: 3000 };
    expect(leavingDeadlines({ ...times, wait })).toEqual({
      deadline: since + 15 * minutes,
      limit: since + 20 * minutes + 2970_000,
    });
  });

  it('is ten seconds before the end of a spot warning', () => {
    const { deadline } = leavingDeadlines({
      since,
      drainTimeoutSeconds: 900,
      noticeDeadline: since + 2 * minutes,
    });
    expect(deadline).toBe(since + 110_000);
  });

  it('is never later than the hook and the notice allow, and never later than the drain timeout', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 172_800 }),
        fc.option(fc.integer({ min: 30, max: 172_800 }), { nil: undefined }),
        fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
        (drainTimeoutSeconds, globalTimeoutSeconds, noticeAfterSeconds) => {
          const { deadline, limit } = leavingDeadlines({
            since,
            drainTimeoutSeconds,
            ...(globalTimeoutSeconds !== undefined && { wait: { since, globalTimeoutSeconds } }),
            ...(noticeAfterSeconds !== undefined && { noticeDeadline: since + noticeAfterSeconds * 1000 }),
          });
          expect(deadline).toBeLessThanOrEqual(limit);
          expect(deadline).toBeLessThanOrEqual(since + drainTimeoutSeconds * 1000);
        },
      ),
    );
  });
});

describe('the time between heartbeats', () => {
  it('is a third of the timeout, so that two may fail', () => {
    expect(heartbeatIntervalSeconds(300)).toBe(100);
  });

  it('is a quarter of an hour at most', () => {
    expect(heartbeatIntervalSeconds(7200)).toBe(900);
  });
});

describe('the global timeout', () => {
  it('is a hundred heartbeat timeouts, at most 48 hours', () => {
    expect(globalTimeoutSecondsOf(30)).toBe(3000);
    expect(globalTimeoutSecondsOf(1728)).toBe(172_800);
    expect(globalTimeoutSecondsOf(7200)).toBe(172_800);
  });
});
