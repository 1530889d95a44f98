import { assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeAnnotation,
  disruptionHolds,
  disruptionRequestOf,
  parseGoDuration,
  unreadAnnotations,
} from '../../../shared/draining/disruption-annotations.ts';
import { controller, pod } from '../../support/pods.ts';

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
    ['24h0m0s', 1440],
    ['.5h', 30],
    ['+2m', 2],
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
  it.each(['', 'yes', 'True', 'TRUE', ' true', '1', '30', '1d', '-30m', '0', '0s', '30m!', ' 30m', 'm30'])(
    'with do-not-disrupt=%j, which Karpenter ignores too',
    (value) => expect(asked({ 'karpenter.sh/do-not-disrupt': value })).toBeUndefined(),
  );

  it.each(['true', 'False', 'FALSE', ' false', 'false ', '0', 'no', ''])(
    'with safe-to-evict=%j: only "false" counts',
    (value) => expect(asked({ 'cluster-autoscaler.kubernetes.io/safe-to-evict': value })).toBeUndefined(),
  );
});

const hold = (pods: Parameters<typeof disruptionHolds>[0], timeoutSeconds = 7200) =>
  disruptionHolds(pods, { since: minutesAfter(0), timeoutSeconds });
const asking = (annotations: Record<string, string>, parts: Parameters<typeof pod>[0] = {}) => {
  const { status, ...rest } = pod({ name: 'import', namespace: 'jobs', annotations, ...parts });
  return { ...rest, status: { ...status, startTime } };
};
const never = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' };

describe('a request is honoured', () => {
  it('until the timeout is over, or until it ends by itself', () => {
    expect(hold([asking(never)])).toMatchObject([{ pod: 'jobs/import', until: minutesAfter(120) }]);
    expect(hold([asking({ 'karpenter.sh/do-not-disrupt': 'true' })])).toMatchObject([
      { until: minutesAfter(120) },
    ]);
    expect(hold([asking({ 'karpenter.sh/do-not-disrupt': '90m' })])).toMatchObject([
      { until: minutesAfter(90) },
    ]);
    expect(hold([asking({ 'karpenter.sh/do-not-disrupt': '1000h' })], 60)).toMatchObject([
      { until: minutesAfter(1) },
    ]);
  });

  it('also after it has ended, so that the pod has its own deadline after that', () => {
    expect(hold([asking({ 'karpenter.sh/do-not-disrupt': '1m' })])).toMatchObject([
      { until: minutesAfter(1) },
    ]);
  });

  it('not of a pod that has finished, is terminating, or stays to the end anyway', () => {
    const daemon = controller('DaemonSet', 'agent');
    const mirror = { ...never, 'kubernetes.io/config.mirror': 'x' };
    expect(
      hold([
        asking(never, { phase: 'Succeeded' }),
        asking(never, { phase: 'Failed' }),
        asking(never, { terminatesAt: minutesAfter(9) }),
        asking(never, { owner: daemon }),
        asking(mirror),
        asking({}),
      ]),
    ).toEqual([]);
  });

  it('in words that name the minute at which it has ended', () => {
    const [first] = hold([asking(never)], 61);
    expect(first && describeAnnotation(first)).toBe(
      'annotation cluster-autoscaler.kubernetes.io/safe-to-evict=false until 2026-11-29T08:02Z',
    );
  });
});

describe('a text that its owner cannot read', () => {
  it('is named, cut, and one that is read is not', () => {
    const odd = [
      asking({ 'karpenter.sh/do-not-disrupt': '1d' }),
      asking({ [Object.keys(never)[0] ?? '']: 'False' }),
    ];
    expect(unreadAnnotations(odd)).toEqual([
      'annotation karpenter.sh/do-not-disrupt of jobs/import has no effect: "1d" is not true or a duration such as 90m',
      'annotation cluster-autoscaler.kubernetes.io/safe-to-evict of jobs/import has no effect: "False" is not true or false',
    ]);
    expect(unreadAnnotations([asking({ 'karpenter.sh/do-not-disrupt': 'x'.repeat(99) })])[0]).toContain(
      `"${'x'.repeat(32)}"`,
    );
    const read = ['true', 'false', '30m'].map((value) => asking({ 'karpenter.sh/do-not-disrupt': value }));
    expect(unreadAnnotations([...read, asking(never)])).toEqual([]);
  });
});

describe('a duration of Go', () => {
  it('has the sum of its parts', () => {
    const unit = constantFrom('h', 'm', 's', 'ms');
    const milliseconds = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
    assert(
      property(integer({ min: 0, max: 999 }), unit, integer({ min: 0, max: 999 }), unit, (a, b, c, d) => {
        const sum = a * milliseconds[b] + c * milliseconds[d];
        expect(parseGoDuration(`${a}${b}${c}${d}`)).toBe(sum);
        expect(parseGoDuration(`-${a}${b}${c}${d}`)).toBe(-sum);
      }),
    );
  });

  it('is a number or nothing, whatever the text is', () => {
    assert(
      property(string(), (text) => {
        const read = parseGoDuration(text);
        expect(read === undefined || Number.isFinite(read)).toBe(true);
      }),
    );
    expect(parseGoDuration('9'.repeat(60) + 'h')).toBeUndefined();
    expect(parseGoDuration('1h'.repeat(40))).toBeUndefined();
    expect(parseGoDuration('1.2.3h')).toBeUndefined();
  });
});
