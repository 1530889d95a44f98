import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, shapeOf } from '../../../real/account/answers.ts';
import { compareCase } from '../../../real/account/compare-case.ts';
import {
  type FixtureAnswer,
  fixtureFile,
  fixturesOf,
  leaksIn,
  mergeFixture,
  readFixture,
  renderFixture,
} from '../../../real/account/fixtures.ts';

const answer = (operation: string, of: Partial<Answer> = {}): Answer => ({
  service: 'sqs',
  operation,
  area: 'SQS standard queues',
  case: 'a message is received',
  shape: {},
  ...of,
});

test('answers beside cases, and those of a case that failed, are not in a fixture', () => {
  const answers = [
    answer('CreateQueue', { shape: { QueueUrl: 'string' } }),
    answer('DeleteQueue', { case: undefined }),
    answer('SendMessage', { case: 'a case that failed' }),
  ];
  expect(fixturesOf(answers, (sentence) => sentence !== 'a case that failed')).toEqual([
    {
      area: 'SQS standard queues',
      cases: {
        'a message is received': [{ operation: 'sqs:CreateQueue', shape: { QueueUrl: 'string' } }],
      },
    },
  ]);
});

test('the same answers in another order are the same file, which is read back', () => {
  const answers = ['B', 'A', 'C'].flatMap((name) => [
    answer(name, { case: `case ${name}`, shape: { MinSize: 'number 1' } }),
    answer('Failed', { case: `case ${name}`, error: 'QueueDoesNotExist' }),
  ]);
  const textOf = (order: readonly Answer[]) =>
    fixturesOf(order, () => true)
      .map(renderFixture)
      .join('');
  const text = textOf(answers);
  fc.assert(
    fc.property(fc.shuffledSubarray(answers, { minLength: answers.length }), (order) => {
      expect(textOf(order)).toBe(text);
    }),
  );
  expect(renderFixture(readFixture(text))).toBe(text);
});

test('a case that is recorded again replaces its answers, and the other cases stay', () => {
  const before = { area: 'A', cases: { one: [{ operation: 'a:B', shape: {} }], two: [] } };
  const after = { area: 'A', cases: { one: [{ operation: 'a:C', shape: {} }] } };
  expect(mergeFixture(before, after)).toEqual({ area: 'A', cases: { ...before.cases, ...after.cases } });
  expect(mergeFixture(undefined, after)).toEqual(after);
});

test('a text that is not a fixture is refused', () => {
  expect(() => readFixture('{"area":"A"}')).toThrow();
  expect(() => readFixture('{"area":"A","cases":{"one":[{"shape":7}]}}')).toThrow();
});

test.each([
  'arn:aws:sqs:eu-west-1:123456789012:orders',
  '123456789012',
  'AKIAIOSFODNN7EXAMPLE',
  'i-0a1b2c3d4e5f60718',
  'vpc-0a1b2c3d',
  '10.255.0.4',
  'https://sqs.eu-west-1.amazonaws.com',
  'drover-account-abcd1234-orders',
  '3d1f8c52-6c0e-4a51-8f7e-0b6a6a4c1e27',
])('%s is found in a fixture, as a value and as the name of a field', (secret) => {
  for (const shape of [{ Name: `string ${secret}` }, { [secret]: 'string' }]) {
    const text = renderFixture({ area: 'A', cases: { one: [{ operation: 'a:B', shape }] } });
    expect(leaksIn(text)).not.toEqual([]);
  }
});

test('what the scrubbing leaves has none of them', () => {
  const shape = shapeOf({
    GroupARN: 'arn:aws:x:y:123456789012:z',
    MinSize: 1,
    LifecycleState: 'Pending:Wait',
  });
  expect(leaksIn(JSON.stringify(shape))).toEqual([]);
});

const group = (fields: object): FixtureAnswer[] => [
  { operation: 'autoscaling:Describe', shape: { AutoScalingGroups: [fields as never] } },
];
const ours = group({ Name: 'string', MinSize: 'number 1', HealthStatus: 'string Healthy' });

test.each([
  ['a field that is missing here', { Name: 'string', Zone: 'string' }, /only the account .*Zone/],
  ['another type', { Name: 'string', MinSize: 'string' }, /MinSize is string in the account/],
  [
    'another value of a setting',
    { Name: 'string', MinSize: 'number 2' },
    /MinSize is 2 in the account, and never/,
  ],
  ['a field that is only here', { MinSize: 'number 1' }, /only the sandbox answers .*Name/],
])('%s is a finding', (_what, fields, expected) => {
  expect(compareCase(group(fields), ours).map(({ difference }) => difference)).toContainEqual(
    expect.stringMatching(expected),
  );
});

test('an error that only one of them answers is a finding', () => {
  const refused = [...ours, { operation: 'autoscaling:Describe', error: 'Throttling', shape: {} }];
  expect(compareCase(refused, ours)).toHaveLength(1);
  expect(compareCase(ours, refused)).toHaveLength(1);
});

test('another value of what passes by makes no finding: a poll sees it or does not', () => {
  const theirs = group({ Name: 'string', MinSize: 'number 1', HealthStatus: 'string Unhealthy' });
  expect(compareCase(theirs, ours)).toEqual([]);
});

test('a list that is empty on one side says nothing of its elements, and its other fields are compared', () => {
  const before = group({ Instances: [], Name: 'string' });
  const later = group({ Instances: [{ Zone: 'string', MinSize: 'number 1' }], Name: 'string' });
  expect(compareCase(later, before)).toEqual([]);
  expect(compareCase(before, later)).toEqual([]);
  expect(
    compareCase([...before, ...later], group({ Instances: [{ Zone: 'date' }], Name: 'string' })),
  ).toHaveLength(3);
  expect(compareCase(later, group({ Instances: [] }))).toHaveLength(1);
});

test('an answer that only shows that AWS was busy is not kept', () => {
  const answers = [
    answer('SendMessage', { error: 'Throttling' }),
    answer('SendMessage', { error: 'OverLimit' }),
  ];
  const [fixture] = fixturesOf(answers, () => true);
  expect(fixture?.cases['a message is received']?.map(({ error }) => error)).toEqual(['OverLimit']);
});

test('the file of a contract has its name', () => {
  expect(fixtureFile('SQS standard queues')).toBe('sqs-standard-queues.json');
});
