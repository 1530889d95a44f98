import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, compareAnswers, shapeOf } from '../../../real/account/answers.ts';

test('fields and types are kept, and only the values of listed fields', () => {
  const group = {
    $metadata: { requestId: 'abc' },
    AutoScalingGroups: [
      {
        AutoScalingGroupName: 'workers-of-acme',
        AutoScalingGroupARN: 'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:x',
        MinSize: 1,
        CreatedTime: new Date(0),
        Instances: [
          { InstanceId: 'i-1', LifecycleState: 'InService' },
          { InstanceId: 'i-2', LifecycleState: 'InService' },
          { InstanceId: 'i-3', LifecycleState: 'Pending' },
        ],
        Tags: [{ Key: 'owner', Value: 'me' }],
      },
    ],
  };
  expect(shapeOf(group)).toEqual({
    AutoScalingGroups: [
      {
        AutoScalingGroupName: 'string',
        AutoScalingGroupARN: 'string',
        MinSize: 'number 1',
        CreatedTime: 'date',
        Instances: [
          { InstanceId: 'string', LifecycleState: 'string InService' },
          { InstanceId: 'string', LifecycleState: 'string Pending' },
        ],
        Tags: ['map'],
      },
    ],
  });
});

test('a listed field keeps no ARN, no account id and no text', () => {
  const policies = ['Default', 'arn:aws:lambda:eu-west-1:1:function:mine', 'for 123456789012', 'two words'];
  expect(shapeOf({ TerminationPolicies: policies })).toEqual({
    TerminationPolicies: ['string Default', 'string'],
  });
});

test('no text of an account survives, wherever it is', () => {
  const secret = 'acme-secret text 123456789012';
  const anywhere = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constant(secret), fc.array(tie('value')), tie('record')),
    record: fc.dictionary(fc.constantFrom('Type', 'Name', 'Tags', 'MinSize', 'Body', 'Items'), tie('value')),
  })).value;
  fc.assert(
    fc.property(anywhere, (value) => {
      expect(JSON.stringify(shapeOf(value))).not.toContain('acme');
    }),
  );
});

test('keys that callers choose do not survive', () => {
  expect(JSON.stringify(shapeOf({ tags: { acme: 'x' }, MessageAttributes: { acme: {} } }))).not.toContain(
    'acme',
  );
});

const answer = (shape: Answer['shape'], error?: string): Answer => ({
  service: 'sqs',
  operation: 'CreateQueue',
  shape,
  ...(error !== undefined && { error }),
});

test('the same answers have no finding, also with other values', () => {
  const one = [answer({ MinSize: 'number 1', Items: [{ Id: 'string' }] }), answer({}, 'ValidationError')];
  const other = [answer({ MinSize: 'number 2', Items: [{ Id: 'string' }] }), answer({}, 'ValidationError')];
  expect(compareAnswers(one, other)).toEqual([]);
});

test.each([
  [
    'a field that only the account has',
    { A: 'string', Items: [{ Id: 'string' }] },
    { A: 'string' },
    'only the account answers Items[].Id',
  ],
  [
    'a field that only the sandbox has',
    { A: 'string' },
    { A: 'string', B: 'date' },
    'only the sandbox answers B',
  ],
  ['another type', { A: 'number' }, { A: 'string' }, 'A is number in the account, and string in the sandbox'],
])('%s is a finding with a proposal', (_what, account, sandbox, difference) => {
  const [finding] = compareAnswers([answer(account)], [answer(sandbox)]);
  expect(finding).toMatchObject({ operation: 'sqs:CreateQueue', difference });
  expect(finding?.proposal).toContain('sqs:CreateQueue');
});

test('an error that the sandbox does not answer is a finding', () => {
  const findings = compareAnswers([answer({}, 'QueueDeletedRecently')], [answer({ QueueUrl: 'string' })]);
  expect(findings.map(({ difference }) => difference)).toEqual([
    'only the sandbox answers QueueUrl',
    'only the account answers error QueueDeletedRecently',
  ]);
});
