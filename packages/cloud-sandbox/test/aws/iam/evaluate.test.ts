import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PolicyContext } from '../../../src/aws/iam/context.ts';
import { evaluate } from '../../../src/aws/iam/evaluate.ts';
import { readPolicy } from '../../../src/aws/iam/policy.ts';

const group = 'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:uuid:autoScalingGroupName/workers';

interface Question {
  readonly action?: string;
  readonly resource?: string;
  readonly context?: PolicyContext;
}

function decisionOf(
  statements: unknown,
  { action = 'autoscaling:SetDesiredCapacity', resource = group, context = {} }: Question = {},
) {
  const policies = [readPolicy({ Version: '2012-10-17', Statement: statements }, 'identity')];
  return evaluate({ policies, action, resource, context }).decision;
}

const allow = (more: object) => ({ Effect: 'Allow', Action: '*', Resource: '*', ...more });
const deny = (more: object) => ({ ...allow(more), Effect: 'Deny' });

test('an action is denied unless a statement allows it, and a deny overrides every allow', () => {
  expect(decisionOf([])).toBe('implicit-deny');
  expect(decisionOf([allow({})])).toBe('allowed');
  expect(decisionOf([allow({}), deny({ Action: 'autoscaling:Set*' })])).toBe('explicit-deny');
});

test('the reason names the deciding statement', () => {
  const policies = [readPolicy({ Statement: [allow({ Sid: 'Everything' })] }, 'identity')];
  expect(evaluate({ policies, action: 'a:B', resource: '*', context: {} })).toMatchObject({
    allowed: true,
    reason: 'the statement Everything allows a:B',
  });
});

test.each([
  [{ Action: 'autoscaling:SetDesiredCapacity' }, 'allowed'],
  [{ Action: 'AutoScaling:setdesired*' }, 'allowed'],
  [{ Action: ['ec2:*', 'autoscaling:Set????redCapacity'] }, 'allowed'],
  [{ Action: 'autoscaling:Describe*' }, 'implicit-deny'],
  [
    { Resource: 'arn:aws:autoscaling:*:123456789012:autoScalingGroup:*:autoScalingGroupName/work*' },
    'allowed',
  ],
  [
    { Resource: 'arn:aws:autoscaling:*:123456789012:autoScalingGroup:*:autoScalingGroupName/Workers' },
    'implicit-deny',
  ],
])('a statement with %o evaluates to %s', (more, expected) => {
  expect(decisionOf([allow(more)])).toBe(expected);
});

test('NotAction and NotResource cover everything else', () => {
  const { Action: _, ...withoutAction } = allow({});
  const { Resource: __, ...withoutResource } = allow({});
  expect(decisionOf([{ ...withoutAction, NotAction: 'iam:*' }])).toBe('allowed');
  expect(decisionOf([{ ...withoutAction, NotAction: 'autoscaling:*' }])).toBe('implicit-deny');
  expect(decisionOf([{ ...withoutResource, NotResource: 'arn:aws:autoscaling:*:*:*/workers' }])).toBe(
    'implicit-deny',
  );
  expect(decisionOf([{ ...withoutResource, NotResource: 'arn:aws:autoscaling:*:*:*/masters' }])).toBe(
    'allowed',
  );
});

const tagged = { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'owned', 'aws:TagKeys': ['a', 'b'] };

test.each([
  ['StringEquals', { 'aws:ResourceTag/kubernetes.io/cluster/drover': ['owned', 'shared'] }, true],
  ['StringEquals', { 'AWS:resourcetag/kubernetes.io/cluster/drover': 'owned' }, true],
  ['StringEquals', { 'aws:ResourceTag/kubernetes.io/cluster/other': 'owned' }, false],
  ['StringEqualsIgnoreCase', { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'OWNED' }, true],
  ['StringEqualsIfExists', { 'aws:ResourceTag/kubernetes.io/cluster/other': 'owned' }, true],
  ['StringNotEquals', { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'owned' }, false],
  ['StringNotEquals', { 'aws:ResourceTag/kubernetes.io/cluster/other': 'owned' }, true],
  ['StringLike', { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'own*' }, true],
  ['StringNotLike', { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'own*' }, false],
  ['Null', { 'aws:ResourceTag/kubernetes.io/cluster/drover': 'false' }, true],
  ['Null', { 'aws:ResourceTag/x': 'true' }, true],
  ['Null', { 'aws:ResourceTag/x': 'false' }, false],
  ['ForAllValues:StringEquals', { 'aws:TagKeys': ['a', 'b', 'c'] }, true],
  ['ForAllValues:StringEquals', { 'aws:TagKeys': ['a'] }, false],
  ['ForAllValues:StringEquals', { 'aws:Missing': ['a'] }, true],
  ['ForAnyValue:StringEquals', { 'aws:TagKeys': ['b', 'x'] }, true],
  ['ForAnyValue:StringEquals', { 'aws:Missing': ['a'] }, false],
  ['ForAnyValue:StringNotEquals', { 'aws:TagKeys': ['a'] }, true],
])('the condition %s %o holds: %s', (operator, keys, holds) => {
  const decision = decisionOf([allow({ Condition: { [operator]: keys } })], { context: tagged });
  expect(decision).toBe(holds ? 'allowed' : 'implicit-deny');
});

test.each([
  ['NumericLessThanEquals', 's3:max-keys', '10', '10', true],
  ['NumericGreaterThan', 's3:max-keys', '10', '10', false],
  ['NumericLessThan', 's3:max-keys', '9', '10', true],
  ['NumericEquals', 's3:max-keys', '', '0', false],
  ['DateGreaterThanEquals', 'aws:CurrentTime', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z', true],
  ['NumericNotEquals', 's3:max-keys', '10', '11', true],
  ['DateGreaterThan', 'aws:CurrentTime', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', true],
  ['DateLessThan', 'aws:CurrentTime', '2026-01-02T00:00:00Z', '1767225600', false],
  ['Bool', 'aws:SecureTransport', 'true', 'true', true],
  ['Bool', 'aws:SecureTransport', 'true', 'false', false],
  [
    'ArnLike',
    'aws:SourceArn',
    'arn:aws:events:eu-west-1:1:rule/drover-x',
    'arn:aws:events:*:1:rule/drover-*',
    true,
  ],
  ['ArnEquals', 'aws:SourceArn', 'arn:aws:events:eu-west-1:1:rule/x', 'arn:aws:events:*:rule/x', false],
  ['ArnNotEquals', 'aws:SourceArn', 'arn:aws:sns:eu-west-1:1:t', 'arn:aws:sns:eu-west-1:1:u', true],
])('%s compares %s = %s with %s: %s', (...row) => {
  const [operator, key, actual, expected, holds] = row;
  const decision = decisionOf([allow({ Condition: { [operator]: { [key]: expected } } })], {
    context: { [key]: actual },
  });
  expect(decision).toBe(holds ? 'allowed' : 'implicit-deny');
});

test('all keys and operators of a Condition must hold', () => {
  const Condition = { StringEquals: { 'aws:a': '1', 'aws:b': '2' }, Bool: { 'aws:c': 'true' } };
  expect(
    decisionOf([allow({ Condition })], { context: { 'aws:a': '1', 'aws:b': '2', 'aws:c': 'true' } }),
  ).toBe('allowed');
  expect(decisionOf([allow({ Condition })], { context: { 'aws:a': '1', 'aws:b': '2' } })).toBe(
    'implicit-deny',
  );
});

test('policy variables are replaced by values of the request, and one without a value matches nothing', () => {
  const statement = allow({ Resource: 'arn:aws:iam::*:role/${aws:PrincipalAccount}' });
  const resource = 'arn:aws:iam::123456789012:role/123456789012';
  expect(decisionOf([statement], { resource, context: { 'aws:PrincipalAccount': '123456789012' } })).toBe(
    'allowed',
  );
  expect(decisionOf([statement], { resource })).toBe('implicit-deny');
});

test.each([
  ['no JSON', '{'],
  ['no effect', { Statement: { Action: '*', Resource: '*' } }],
  ['neither Action nor NotAction', { Statement: { Effect: 'Allow', Resource: '*' } }],
  [
    'an unsupported operator',
    { Statement: allow({ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }) },
  ],
])('a policy with %s is refused as a whole', (_, document) => {
  expect(() => readPolicy(document, 'identity')).toThrow(
    expect.objectContaining({ code: 'MalformedPolicyDocument' }),
  );
});

test('a matching deny always denies, whatever the other statements', () => {
  const effect = fc.record({
    Effect: fc.constantFrom('Allow', 'Deny'),
    Action: fc.constantFrom('*', 'autoscaling:*', 'ec2:*', 'autoscaling:SetDesiredCapacity'),
    Resource: fc.constantFrom('*', group, 'arn:aws:s3:::x'),
  });
  fc.assert(
    fc.property(fc.array(effect, { maxLength: 6 }), fc.nat(6), (statements, position) => {
      const all = [
        ...statements.slice(0, position),
        deny({ Resource: group }),
        ...statements.slice(position),
      ];
      expect(decisionOf(all)).toBe('explicit-deny');
    }),
  );
});
