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
  it('is sent again within an eighth of the time that is left, and after one second at least', () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 7200, noNaN: true }), chances, (secondsLeft, chance) => {
        const seconds = retrySeconds({ secondsLeft, chance });
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(1 + Math.min(20, Math.max(0, secondsLeft) / 8));
      }),
    );
  });
});

it('a wait is at risk with less than a third of its timeout left', () => {
  expect(isAtRisk({ secondsLeft: 100, heartbeatTimeoutSeconds: 300 })).toBe(false);
  expect(isAtRisk({ secondsLeft: 99.9, heartbeatTimeoutSeconds: 300 })).toBe(true);
});

describe('a heartbeat that makes way for others', () => {
  it('is never deferred until it is urgent', () => {
    fc.assert(
      fc.property(timeouts, fc.double({ min: 0, max: 1, noNaN: true }), chances, (timeout, share, chance) => {
        const secondsLeft = timeout * share;
        const deferred = deferralSeconds({ secondsLeft, heartbeatTimeoutSeconds: timeout, chance });
        expect(deferred).toBeGreaterThanOrEqual(0);
        const after = { secondsLeft: secondsLeft - deferred, heartbeatTimeoutSeconds: timeout };
        if (deferred > 0) expect(ignoresPace(after)).toBe(false);
      }),
    );
  });

  it('makes way for longer the more time it has left, and for none in its last sixth or half minute', () => {
    const deferredAt = (secondsLeft: number) =>
      deferralSeconds({ secondsLeft, heartbeatTimeoutSeconds: 300, chance: 1 });
    expect([75, 125, 200].map(deferredAt)).toEqual([0, 25, 62.5]);
    expect(ignoresPace({ secondsLeft: 50, heartbeatTimeoutSeconds: 300 })).toBe(false);
    expect(ignoresPace({ secondsLeft: 49.9, heartbeatTimeoutSeconds: 300 })).toBe(true);
    expect(ignoresPace({ secondsLeft: 29.9, heartbeatTimeoutSeconds: 100 })).toBe(true);
    expect(ignoresPace({ secondsLeft: 10, heartbeatTimeoutSeconds: 30 })).toBe(false);
    expect(ignoresPace({ secondsLeft: 9.9, heartbeatTimeoutSeconds: 30 })).toBe(true);
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
