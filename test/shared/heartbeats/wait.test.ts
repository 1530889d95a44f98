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
  it('is never deferred to its last tries, and before it is at risk never until then', () => {
    fc.assert(
      fc.property(timeouts, fc.double({ min: 0, max: 1, noNaN: true }), chances, (timeout, share, chance) => {
        const wait = { secondsLeft: timeout * share, heartbeatTimeoutSeconds: timeout };
        const deferred = deferralSeconds({ ...wait, chance });
        const after = { ...wait, secondsLeft: wait.secondsLeft - deferred };
        expect(deferred).toBeGreaterThanOrEqual(0);
        if (!isAtRisk(wait)) expect(isAtRisk(after)).toBe(false);
        else if (!ignoresPace(wait)) expect(ignoresPace(after)).toBe(false);
      }),
    );
  });

  it('makes way for longer the more time it has left', () => {
    const deferredAt = (secondsLeft: number) =>
      deferralSeconds({ secondsLeft, heartbeatTimeoutSeconds: 300, chance: 1 });
    expect([10, 80, 100, 150, 200].map(deferredAt)).toEqual([0, 10, 0, 25, 50]);
  });

  it.each([
    [300, 20],
    [60, 20],
    [30, 18],
  ])(
    'makes no way with a timeout of %i s once less than %i s are left',
    (heartbeatTimeoutSeconds, secondsLeft) => {
      expect(ignoresPace({ secondsLeft, heartbeatTimeoutSeconds })).toBe(false);
      expect(ignoresPace({ secondsLeft: secondsLeft - 0.1, heartbeatTimeoutSeconds })).toBe(true);
    },
  );
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
