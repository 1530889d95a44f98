import { describe, expect, it } from 'vitest';
import { disruptionRequestOf } from '../../../shared/draining/disruption-annotations.ts';
import { pod } from '../../support/pods.ts';

const startTime = '2026-11-29T08:00:00Z';
const minutesAfter = (minutes: number): number => Date.parse(startTime) + minutes * 60_000;

const asked = (annotations: Record<string, string>, now = minutesAfter(0)) => {
  const { status, ...rest } = pod({ annotations });
  return disruptionRequestOf({ ...rest, status: { ...status, startTime } }, now);
};

describe('a pod asks not to be disrupted', () => {
  it('for as long as it runs with safe-to-evict=false or do-not-disrupt=true', () => {
    for (const annotation of [
      'cluster-autoscaler.kubernetes.io/safe-to-evict=false',
      'karpenter.sh/do-not-disrupt=true',
    ]) {
      const [key = '', value = ''] = annotation.split('=');
      expect(asked({ [key]: value })).toEqual({ annotation });
    }
  });

  it.each([
    ['30m', 30],
    ['1h30m', 90],
    ['1.5h', 90],
    ['90s', 1.5],
  ])('with do-not-disrupt=%s until so long after its start', (value, minutes) => {
    const request = { 'karpenter.sh/do-not-disrupt': value };
    expect(asked(request, minutesAfter(minutes) - 1)?.until).toBe(minutesAfter(minutes));
    expect(asked(request, minutesAfter(minutes))).toBeUndefined();
  });

  it('with a duration before it has started', () => {
    const waiting = pod({ annotations: { 'karpenter.sh/do-not-disrupt': '30m' }, phase: 'Pending' });
    expect(disruptionRequestOf(waiting, minutesAfter(0))).toEqual({
      annotation: 'karpenter.sh/do-not-disrupt=30m',
    });
  });
});

describe('a pod does not ask', () => {
  it.each(['', 'yes', '30', '1d', '-30m', '0s', '30m!', 'm30'])(
    'with do-not-disrupt=%j, which Karpenter ignores too',
    (value) => expect(asked({ 'karpenter.sh/do-not-disrupt': value })).toBeUndefined(),
  );

  it.each(['true', 'False', 'no', ''])('with safe-to-evict=%j: only "false" counts', (value) =>
    expect(asked({ 'cluster-autoscaler.kubernetes.io/safe-to-evict': value })).toBeUndefined(),
  );
});
