import { describe, expect, test } from 'vitest';
import { type Alarm, createCloudWatch } from '../../../src/aws/cloudwatch/cloudwatch.ts';
import { readEmbeddedMetrics } from '../../../src/aws/cloudwatch/embedded-metrics.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { advanceClock } from '../support/cloud.ts';

const passes = { namespace: 'Drover', metricName: 'FailedPasses', dimensions: { Cluster: 'drover' } };

const alarm: Alarm = {
  alarmName: 'failed-passes',
  description: '',
  metrics: [{ ...passes, statistic: 'Sum', periodSeconds: 300 }],
  comparisonOperator: 'GreaterThanThreshold',
  threshold: 2,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
  treatMissingData: 'notBreaching',
  alarmActions: [],
  okActions: [],
  insufficientDataActions: [],
};

function createWatch(change: Partial<Alarm> = {}) {
  const clock = createVirtualClock();
  const cloudWatch = createCloudWatch({ clock, alarms: [{ ...alarm, ...change }] });
  const put = (value: number, metric = passes): void =>
    cloudWatch.putMetric({ ...metric, value, at: clock.now() });
  cloudWatch.start();
  return { cloudWatch, put, advance: (seconds: number) => advanceClock(clock, seconds) };
}

test('a state that is set lasts until the next evaluation, and counts as a change only if it differs', () => {
  const { cloudWatch, advance } = createWatch();
  advance(60);
  expect(cloudWatch.setState('failed-passes', 'OK', 'still fine')).toBe(true);
  expect(cloudWatch.history().map(({ after }) => after)).toEqual(['OK']);
  expect(cloudWatch.setState('failed-passes', 'ALARM', 'a test')).toBe(true);
  expect(cloudWatch.reasonOf('failed-passes')).toBe('a test');
  advance(60);
  expect(cloudWatch.history().map(({ after, reason }) => `${after}: ${reason}`)).toEqual([
    'OK: Threshold Crossed',
    'ALARM: a test',
    'OK: Threshold Crossed',
  ]);
  expect(cloudWatch.setState('another', 'ALARM', 'a test')).toBe(false);
});

describe('an alarm', () => {
  test('evaluates a period that ends with the last full minute, and moves every minute', () => {
    const { cloudWatch, put, advance } = createWatch();
    put(1);
    advance(240);
    put(2);
    expect(cloudWatch.stateOf('failed-passes')).toBe('OK');
    advance(60);
    expect(cloudWatch.stateOf('failed-passes')).toBe('ALARM');
    advance(60);
    expect(cloudWatch.stateOf('failed-passes')).toBe('OK');
    expect(cloudWatch.history().map(({ before, after }) => `${before} ${after}`)).toEqual([
      'INSUFFICIENT_DATA OK',
      'OK ALARM',
      'ALARM OK',
    ]);
  });

  // A report: an alarm over a sparse metric was raised each hour, https://github.com/guardian/support-service-lambdas/pull/53
  test('is raised once by one bad value, and ends while nothing follows', () => {
    const { cloudWatch, put, advance } = createWatch();
    put(9);
    advance(6 * 3600);
    expect(cloudWatch.history().map(({ after }) => after)).toEqual(['ALARM', 'OK']);
    const [raised, ended] = cloudWatch.history();
    expect(((ended?.at ?? 0) - (raised?.at ?? 0)) / 60_000).toBe(15);
  });

  test('separates metrics by their dimensions', () => {
    const { cloudWatch, put, advance } = createWatch();
    put(9, { ...passes, dimensions: { Cluster: 'other' } });
    advance(60);
    expect(cloudWatch.stateOf('failed-passes')).toBe('OK');
  });

  test('adds several metrics if its expression does', () => {
    const other = { ...passes, metricName: 'Parked' };
    const query = { statistic: 'Sum', periodSeconds: 300 };
    const { cloudWatch, put, advance } = createWatch({
      metrics: [
        { ...passes, ...query },
        { ...other, ...query },
      ],
      expression: 'SUM(METRICS())',
    });
    put(2);
    put(2, other);
    advance(60);
    expect(cloudWatch.stateOf('failed-passes')).toBe('ALARM');
  });

  test('is refused with an unknown expression', () => {
    expect(() => createWatch({ expression: 'ANOMALY_DETECTION_BAND(m1)' })).toThrow(/failed-passes/);
  });

  test('is refused with an unsupported statistic', () => {
    const { advance } = createWatch({ metrics: [{ ...passes, statistic: 'p99', periodSeconds: 300 }] });
    expect(() => advance(60)).toThrow(/p99/);
  });
});

describe('a log line of a function', () => {
  test('yields its embedded metrics, for each set of dimensions', () => {
    const directive = {
      Namespace: 'Drover',
      Dimensions: [['Cluster'], ['Cluster', 'Cause']],
      Metrics: [{ Name: 'Waits', Unit: 'Count' }],
    };
    const about = { Timestamp: 5, CloudWatchMetrics: [directive] };
    const line = JSON.stringify({ _aws: about, Cluster: 'drover', Cause: 'budget', Waits: 1 });
    const waits = { namespace: 'Drover', metricName: 'Waits', value: 1, at: 5 };
    expect(readEmbeddedMetrics(line)).toEqual([
      { ...waits, dimensions: { Cluster: 'drover' } },
      { ...waits, dimensions: { Cluster: 'drover', Cause: 'budget' } },
    ]);
  });

  test.each(['{"level":"info"}', 'START RequestId: 1', '{"_aws":{}}'])('yields no metrics as %s', (line) => {
    expect(readEmbeddedMetrics(line)).toEqual([]);
  });
});
