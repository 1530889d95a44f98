import { expect, it } from 'vitest';
import type { StatusReport } from '../../../cli/status/report.ts';
import { watchStatus } from '../../../cli/status/watch.ts';
import { isThrottledIn, type ProblemObservation } from '../../../shared/problems/observation.ts';

const report: StatusReport = {
  at: '2026-01-05T08:00:00Z',
  clusterName: 'prod',
  leaving: [],
  joining: [],
  repairs: [],
  groups: [],
  scheduledActions: [],
  problems: [],
  missing: [],
  notLookedAt: [],
  oldestRenewal: null,
};

it('drover status --watch waits twice as long while it is asked for fewer calls, a minute at most, and as long as a read takes', async () => {
  const looks = [
    { isThrottled: true, seconds: 1 },
    { isThrottled: true, seconds: 1 },
    { isThrottled: true, seconds: 1 },
    { isThrottled: true, seconds: 1 },
    { isThrottled: false, seconds: 1 },
    { isThrottled: false, seconds: 9 },
  ];
  const pauses: number[] = [];
  let now = 0;
  const watching = watchStatus(
    {
      look: () => {
        const { isThrottled, seconds } = looks[pauses.length] ?? { isThrottled: false, seconds: 0 };
        now += seconds * 1000;
        return Promise.resolve({ report, isThrottled });
      },
      show: () => undefined,
      everyTime: false,
    },
    {
      clock: { now: () => now, after: () => ({ cancel: () => undefined }) },
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        return pauses.length === looks.length ? Promise.reject(new Error('stopped')) : Promise.resolve();
      },
    },
  );
  await expect(watching).rejects.toThrow('stopped');
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 5000, 9000]);
});

it.each([
  ['a source that was never read', { kind: 'unknown', reason: 'Rate exceeded', isThrottled: true }, true],
  ['an old value', { kind: 'stale', value: [], at: 1, reason: 'Rate exceeded', isThrottled: true }, true],
  ['a source that is denied', { kind: 'unknown', reason: 'denied' }, false],
  ['a source that is known', { kind: 'known', value: [] }, false],
] as const)('an observation shows by %s whether AWS asks for fewer calls', (_, alarms, asks) => {
  const nothing = { kind: 'unknown', reason: 'not read' } as const;
  const observation: ProblemObservation = { at: 0, groups: nothing, nodes: nothing, alarms };
  expect(isThrottledIn(observation)).toBe(asks);
});
