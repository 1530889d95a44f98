import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  heartbeatFallsDue,
  heartbeatIsDue,
  leavingDeadlines,
  nextHeartbeatAt,
  waitBesideBeats,
  waitForNextBeat,
} from '../../../shared/lifecycle/hook-timing.ts';

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

  it('counts the global timeout from the beginning of the wait, and the drain timeout from the first notice', () => {
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

  it('is never later than what the world allows, and never later than the operator said', () => {
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

describe('heartbeats', () => {
  const wait = { lastBeatAt: since, heartbeatTimeoutSeconds: 300, limit: since + 100 * minutes };

  it('are due when a third of the timeout has passed, not before', () => {
    expect(heartbeatIsDue({ ...wait, now: since + 99_000 })).toBe(false);
    expect(heartbeatIsDue({ ...wait, now: since + 100_000 })).toBe(true);
    expect(nextHeartbeatAt(wait)).toBe(since + 100_000);
  });

  it('come every quarter of an hour at least, for they are the sign that somebody works on the node', () => {
    expect(nextHeartbeatAt({ lastBeatAt: since, heartbeatTimeoutSeconds: 7200 })).toBe(since + 900_000);
  });

  it('fall due at every third of the timeout for passes that come every 20 seconds and know of no last one', () => {
    const beats: number[] = [];
    for (let now = since; now < since + 30 * minutes; now += 20_000)
      if (heartbeatFallsDue({ ...wait, since, now })) beats.push(now - since);
    const gaps = beats.map((beat, index) => beat - (beats[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(120_000);
    expect(beats.length).toBeLessThanOrEqual(2 * 18);
    expect(heartbeatFallsDue({ ...wait, since, now: wait.limit })).toBe(false);
  });

  /** The moments since the wait began at which passes without a mark beat; every pass comes `late` seconds later than it meant to. */
  const beatsOf = (heartbeatTimeoutSeconds: number, lateness: readonly number[]): readonly number[] => {
    const beats: number[] = [];
    let now = since;
    for (let pass = 0; now < since + 60 * minutes; pass += 1) {
      const input = { now, since, heartbeatTimeoutSeconds };
      if (heartbeatFallsDue({ ...input, limit: Infinity })) beats.push((now - since) / 1000);
      const seconds = Math.ceil(waitBesideBeats({ ...input, seconds: 20 }));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(20);
      now += (seconds + (lateness[pass % lateness.length] ?? 0)) * 1000;
    }
    return beats;
  };
  const latenessUpTo = (max: number) =>
    fc.array(fc.double({ min: 0, max, noNaN: true }), { minLength: 1, maxLength: 40 });

  it('are sent once at every third of the timeout by passes that know of no last one and come when they mean to', () => {
    expect(beatsOf(300, [0.1])).toHaveLength(35);
    fc.assert(
      fc.property(fc.integer({ min: 180, max: 7200 }), latenessUpTo(4), (timeout, lateness) => {
        const interval = Math.min(900, timeout / 3);
        expect(beatsOf(timeout, lateness).length).toBeLessThanOrEqual(3600 / interval);
      }),
    );
  });

  it('leave no wait alone for half a minute longer than a third of its timeout, though passes come up to ten seconds late', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 7200 }), latenessUpTo(10), (timeout, lateness) => {
        const beats = [0, ...beatsOf(timeout, lateness)];
        const gaps = beats.map((beat, index) => beat - (beats[index - 1] ?? 0));
        expect(Math.max(...gaps)).toBeLessThan(Math.min(900, timeout / 3) + 30.01);
      }),
    );
  });

  it('do not hurry passes where three ordinary ones fit in a timeout', () => {
    const longOverdue = { now: since + 600_000, lastBeatAt: since, seconds: 20 };
    expect(waitForNextBeat({ ...longOverdue, heartbeatTimeoutSeconds: 60 })).toBe(20);
  });

  it('of the shortest timeout come every ten seconds, however much of them a pass takes for itself', () => {
    const shortest = { lastBeatAt: since, heartbeatTimeoutSeconds: 30, seconds: 20 };
    expect(waitForNextBeat({ ...shortest, now: since })).toBe(10);
    expect(waitForNextBeat({ ...shortest, now: since + 7400 })).toBe(2);
    expect(waitForNextBeat({ ...shortest, now: since + 15_000 })).toBe(1);
    expect(waitForNextBeat({ ...shortest, now: since, seconds: 5 })).toBe(5);
  });

  it('are never sent past the global timeout', () => {
    expect(heartbeatIsDue({ ...wait, now: wait.limit })).toBe(false);
  });
});
