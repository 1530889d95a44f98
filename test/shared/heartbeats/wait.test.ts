import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deferralSeconds,
  firstHeartbeatAt,
  ignoresPace,
  isAtRisk,
  retrySeconds,
  waitStateOf,
} from '../../../shared/heartbeats/wait.ts';
import { groupOf } from '../../support/waiting-group.ts';

const chances = fc.double({ min: 0, max: 1, noNaN: true });
/** From no time until there is a slot to the time for which slots are reserved. */
const slots = fc.double({ min: 0, max: 15, noNaN: true });
const timeouts = fc.integer({ min: 30, max: 7200 });

describe('the first heartbeat of a wait', () => {
  it('is due within the first third of the timeout, and not before the half of that', () => {
    fc.assert(
      fc.property(timeouts, chances, (heartbeatTimeoutSeconds, chance) => {
        const seconds = firstHeartbeatAt({ noticedAt: 0, heartbeatTimeoutSeconds, chance }) / 1000;
        const third = Math.min(900, heartbeatTimeoutSeconds / 3);
        expect(seconds).toBeGreaterThanOrEqual(third / 2);
        expect(seconds).toBeLessThanOrEqual(third);
      }),
    );
  });

  it('is not due at one time for waits that begin together', () => {
    const at = (chance: number) => firstHeartbeatAt({ noticedAt: 0, heartbeatTimeoutSeconds: 300, chance });
    expect([at(0), at(0.5), at(1)]).toEqual([50_000, 75_000, 100_000]);
  });
});

describe('a refused heartbeat', () => {
  it('is sent again within an eighth of the time that is left, and each second in the last ten', () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 7200, noNaN: true }), chances, (secondsLeft, chance) => {
        const seconds = retrySeconds({ secondsLeft, chance });
        expect(seconds).toBeGreaterThanOrEqual(1);
        if (secondsLeft > 0 && secondsLeft < 10) expect(seconds).toBe(1);
        expect(seconds).toBeLessThanOrEqual(1 + Math.min(20, Math.max(2, Math.abs(secondsLeft) / 8)));
      }),
    );
  });

  it('is sent more rarely the longer its wait is past its timeout', () => {
    const secondsAt = (secondsLeft: number) => retrySeconds({ secondsLeft, chance: 1 });
    expect([0, -16, -80, -160, -9000].map(secondsAt)).toEqual([3, 3, 11, 21, 21]);
  });
});

it('a wait is at risk with less than a third of its timeout left', () => {
  expect(isAtRisk({ secondsLeft: 100, heartbeatTimeoutSeconds: 300 })).toBe(false);
  expect(isAtRisk({ secondsLeft: 99.9, heartbeatTimeoutSeconds: 300 })).toBe(true);
});

describe('a heartbeat that makes way for others', () => {
  it('is never deferred to its last tries, and before it is at risk never until then', () => {
    fc.assert(
      fc.property(timeouts, chances, chances, slots, (timeout, share, chance, slotSeconds) => {
        const wait = { secondsLeft: timeout * share, heartbeatTimeoutSeconds: timeout };
        const deferred = deferralSeconds({ ...wait, chance, slotSeconds });
        const leftAfter = wait.secondsLeft - deferred;
        if (ignoresPace(wait)) return;
        expect(deferred).toBeGreaterThanOrEqual(0);
        if (!isAtRisk(wait)) expect(leftAfter).toBeGreaterThanOrEqual(timeout / 3 - 0.001);
        if (!isAtRisk(wait)) expect(ignoresPace({ ...wait, secondsLeft: leftAfter + 0.001 })).toBe(false);
      }),
    );
  });

  it('makes way until there is a slot, but not beyond the time at which it is at risk', () => {
    const deferredAt = (secondsLeft: number) =>
      deferralSeconds({ secondsLeft, heartbeatTimeoutSeconds: 30, chance: 0, slotSeconds: 15 });
    expect([30, 24, 20].map(deferredAt)).toEqual([10, 4, 0]);
    const long = { secondsLeft: 200, heartbeatTimeoutSeconds: 300, chance: 0, slotSeconds: 15 };
    expect(deferralSeconds(long)).toBe(15);
    expect(deferralSeconds({ ...long, secondsLeft: 110 })).toBe(10);
  });

  it('makes way for longer the more time it has left', () => {
    const deferredAt = (secondsLeft: number) =>
      deferralSeconds({ secondsLeft, heartbeatTimeoutSeconds: 300, chance: 1, slotSeconds: 0 });
    expect([10, 80, 100, 150, 200].map(deferredAt)).toEqual([0, 10, 0, 25, 50]);
  });

  it('makes no way once less than 20 seconds are left', () => {
    expect(ignoresPace({ secondsLeft: 20 })).toBe(false);
    expect(ignoresPace({ secondsLeft: 19.9 })).toBe(true);
  });

  it('makes way again once its wait is 20 seconds past its timeout, for up to 20 seconds', () => {
    expect(ignoresPace({ secondsLeft: -19.9 })).toBe(true);
    expect(ignoresPace({ secondsLeft: -20 })).toBe(false);
    const deferredAt = (secondsLeft: number, slotSeconds = 0) =>
      deferralSeconds({ secondsLeft, heartbeatTimeoutSeconds: 300, chance: 1, slotSeconds });
    expect([-20, -40, -9000].map((left) => deferredAt(left))).toEqual([20, 20, 20]);
    expect(deferredAt(-20, 30)).toBe(30);
  });
});

describe('what a description shows about a wait', () => {
  const stateOf = (lifecycleState: string, transition: 'launching' | 'terminating') => {
    const [member] = groupOf({ 'i-1': lifecycleState }).instances;
    return waitStateOf(member && { ...member, autoScalingGroupName: 'workers' }, transition);
  };

  it.each([
    ['Terminating:Wait', 'terminating', 'waits'],
    ['Warmed:Terminating:Wait', 'terminating', 'waits'],
    ['Warmed:Pending:Wait', 'terminating', 'waits'],
    ['ReplacingRootVolume:Wait', 'terminating', 'waits'],
    ['Terminating:Proceed', 'terminating', 'past'],
    ['Terminated', 'terminating', 'past'],
    ['InService', 'terminating', 'elsewhere'],
    ['Terminating', 'terminating', 'elsewhere'],
    ['Terminating:Retained', 'terminating', 'elsewhere'],
    ['Pending:Wait', 'launching', 'waits'],
    ['Warmed:Pending:Wait', 'launching', 'waits'],
    ['Pending', 'launching', 'elsewhere'],
    ['InService', 'launching', 'elsewhere'],
    ['Terminating:Wait', 'launching', 'elsewhere'],
    ['Terminating:Proceed', 'launching', 'past'],
  ] as const)('%s shows a %s wait as %s', (state, transition, expected) => {
    expect(stateOf(state, transition)).toBe(expected);
  });

  it('is nothing if Auto Scaling does not know the instance', () => {
    expect(waitStateOf(undefined, 'terminating')).toBe('missing');
  });
});
