import { describe, expect, it, test } from 'vitest';
import { type AlarmTerms, evaluateAlarm } from '../../../src/aws/cloudwatch/evaluate.ts';

const terms = (change: Partial<AlarmTerms> = {}): AlarmTerms => ({
  comparisonOperator: 'GreaterThanThreshold',
  threshold: 0,
  evaluationPeriods: 3,
  datapointsToAlarm: 3,
  treatMissingData: 'missing',
  ...change,
});

/** `0` is a good point, `X` a breaching one, `-` a missing one. */
const pointsOf = (picture: string): readonly (number | undefined)[] =>
  picture.split(' ').map((sign) => (sign === '-' ? undefined : sign === 'X' ? 1 : 0));

// The tables of https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
describe.each([
  ['0 - X - X', { missing: 'OK', ignore: 'OK', breaching: 'OK', notBreaching: 'OK' }],
  ['0 - - - -', { missing: 'OK', ignore: 'retain', breaching: 'OK', notBreaching: 'OK' }],
  ['- - - - -', { missing: 'INSUFFICIENT_DATA', ignore: 'retain', breaching: 'ALARM', notBreaching: 'OK' }],
  ['0 X X - X', { missing: 'ALARM', ignore: 'ALARM', breaching: 'ALARM', notBreaching: 'ALARM' }],
  ['- - X - -', { missing: 'ALARM', ignore: 'retain', breaching: 'ALARM', notBreaching: 'OK' }],
] as const)('an alarm for three of three points evaluates %s', (picture, states) => {
  it.each(Object.entries(states))('with missing points treated as %s: %s', (treatMissingData, state) => {
    for (const before of ['OK', 'ALARM'] as const)
      expect(evaluateAlarm(terms({ treatMissingData }), pointsOf(picture), before)).toBe(
        state === 'retain' ? before : state,
      );
  });
});

describe.each([
  ['0 - X - X', { missing: 'ALARM', ignore: 'ALARM', breaching: 'ALARM', notBreaching: 'ALARM' }],
  ['0 0 X 0 X', { missing: 'ALARM', ignore: 'ALARM', breaching: 'ALARM', notBreaching: 'ALARM' }],
  ['0 - X - -', { missing: 'OK', breaching: 'ALARM', notBreaching: 'OK' }],
  ['- - - - 0', { missing: 'OK', breaching: 'ALARM', notBreaching: 'OK' }],
  ['- - - X -', { missing: 'ALARM', ignore: 'retain', breaching: 'ALARM', notBreaching: 'OK' }],
] as const)('an alarm for two of three points evaluates %s', (picture, states) => {
  it.each(Object.entries(states))('with missing points treated as %s: %s', (treatMissingData, state) => {
    for (const before of ['OK', 'ALARM'] as const)
      expect(
        evaluateAlarm(terms({ treatMissingData, datapointsToAlarm: 2 }), pointsOf(picture), before),
      ).toBe(state === 'retain' ? before : state);
  });
});

test.each(['- - - - X', '- - - X -', '- - 0 X -'])(
  'an alarm for three of three points does not fire before its time with %s',
  (picture) => {
    for (const treatMissingData of ['missing', 'notBreaching'])
      expect(evaluateAlarm(terms({ treatMissingData }), pointsOf(picture), 'OK')).toBe('OK');
  },
);

// A report: one point among missing ones set off an alarm for several, https://github.com/code-dot-org/code-dot-org/pull/64797
test('an alarm for three of three points fires with one old point and silence, unless silence is good', () => {
  expect(evaluateAlarm(terms(), pointsOf('- - X - -'), 'OK')).toBe('ALARM');
  expect(evaluateAlarm(terms({ treatMissingData: 'notBreaching' }), pointsOf('- - X - -'), 'OK')).toBe('OK');
});

test('an alarm for two of three points fires with two', () => {
  expect(evaluateAlarm(terms({ datapointsToAlarm: 2 }), pointsOf('0 0 X 0 X'), 'OK')).toBe('ALARM');
  expect(evaluateAlarm(terms({ datapointsToAlarm: 2 }), pointsOf('X X 0 0 X'), 'OK')).toBe('OK');
});

test.each([
  ['GreaterThanThreshold', [false, false, true]],
  ['GreaterThanOrEqualToThreshold', [false, true, true]],
  ['LessThanThreshold', [true, false, false]],
  ['LessThanOrEqualToThreshold', [true, true, false]],
])('%s compares below, at and above the threshold', (comparisonOperator, expected) => {
  const alarm = terms({ comparisonOperator, threshold: 5, evaluationPeriods: 1, datapointsToAlarm: 1 });
  expect([4, 5, 6].map((value) => evaluateAlarm(alarm, [value], 'OK') === 'ALARM')).toEqual(expected);
});

test('an unsupported comparison is refused', () => {
  const alarm = terms({ comparisonOperator: 'LessThanLowerOrGreaterThanUpperThreshold' });
  expect(() => evaluateAlarm(alarm, [1], 'OK')).toThrow(RangeError);
});
