import { expect, test } from 'vitest';
import type { ResourceLookup } from '../../../src/aws/iam/rules/rule.ts';
import { serviceRules } from '../../../src/aws/iam/rules/rules.ts';
import { accountId, region } from '../support/test-front.ts';

const lookup: ResourceLookup = {
  tags: () => ({ team: 'a' }),
  autoScalingGroupArn: () => undefined,
  autoScalingGroupOfInstance: () => undefined,
  parameterKeyArn: () => undefined,
  roleBoundary: () => undefined,
};

const needs = (service: string, operation: string, input: Readonly<Record<string, unknown>>): string[] =>
  (serviceRules[service]?.({ operation, input, accountId, region, lookup }) ?? []).map(
    ({ action, resource }) => `${action} ${resource.replace(`:${region}:${accountId}:`, ':R:A:')}`,
  );

test.each([
  ['autoscaling', 'DescribeAutoScalingGroups', {}, ['autoscaling:DescribeAutoScalingGroups *']],
  [
    'autoscaling',
    'CreateOrUpdateTags',
    { Tags: [{ ResourceId: 'g', Key: 'k', Value: 'v' }] },
    ['autoscaling:CreateOrUpdateTags arn:aws:autoscaling:R:A:autoScalingGroup:*:autoScalingGroupName/g'],
  ],
  [
    'autoscaling',
    'PutLifecycleHook',
    { AutoScalingGroupName: 'g', RoleARN: 'arn:role' },
    [
      'autoscaling:PutLifecycleHook arn:aws:autoscaling:R:A:autoScalingGroup:*:autoScalingGroupName/g',
      'iam:PassRole arn:role',
    ],
  ],
  [
    'autoscaling',
    'UpdateAutoScalingGroup',
    { AutoScalingGroupName: 'g', LaunchTemplate: { LaunchTemplateName: 't', Version: '$Latest' } },
    [
      'autoscaling:UpdateAutoScalingGroup arn:aws:autoscaling:R:A:autoScalingGroup:*:autoScalingGroupName/g',
      'ec2:RunInstances arn:aws:ec2:R:A:instance/*',
    ],
  ],
  ['ec2', 'DescribeInstances', { InstanceIds: ['i-1'] }, ['ec2:DescribeInstances *']],
  [
    'ec2',
    'TerminateInstances',
    { InstanceIds: ['i-1', 'i-2'] },
    [
      'ec2:TerminateInstances arn:aws:ec2:R:A:instance/i-1',
      'ec2:TerminateInstances arn:aws:ec2:R:A:instance/i-2',
    ],
  ],
  [
    'ec2',
    'CreateTags',
    { Resources: ['lt-1'], Tags: [] },
    ['ec2:CreateTags arn:aws:ec2:R:A:launch-template/lt-1'],
  ],
  ['ec2', 'GetConsoleOutput', { InstanceId: 'i-1' }, ['ec2:GetConsoleOutput arn:aws:ec2:R:A:instance/i-1']],
  [
    'ec2',
    'DescribeInstanceAttribute',
    { InstanceId: 'i-1', Attribute: 'userData' },
    ['ec2:DescribeInstanceAttribute arn:aws:ec2:R:A:instance/i-1'],
  ],
  ['ec2', 'RunInstances', {}, ['ec2:RunInstances arn:aws:ec2:R:A:instance/*']],
  [
    'elasticloadbalancing',
    'DescribeTargetHealth',
    { TargetGroupArn: 'arn:t' },
    ['elasticloadbalancing:DescribeTargetHealth *'],
  ],
  [
    'elasticloadbalancing',
    'DeregisterTargets',
    { TargetGroupArn: 'arn:t' },
    ['elasticloadbalancing:DeregisterTargets arn:t'],
  ],
  ['events', 'PutRule', { Name: 'r' }, ['events:PutRule arn:aws:events:R:A:rule/r']],
  [
    'events',
    'PutTargets',
    { Rule: 'r', Targets: [{ RoleArn: 'arn:role' }] },
    ['events:PutTargets arn:aws:events:R:A:rule/r', 'iam:PassRole arn:role'],
  ],
  [
    'events',
    'PutEvents',
    { Entries: [{ Source: 'shop' }] },
    ['events:PutEvents arn:aws:events:R:A:event-bus/default'],
  ],
  [
    'scheduler',
    'GetSchedule',
    { Name: 's', GroupName: 'g' },
    ['scheduler:GetSchedule arn:aws:scheduler:R:A:schedule/g/s'],
  ],
  ['scheduler', 'ListSchedules', {}, ['scheduler:ListSchedules *']],
  [
    'scheduler',
    'GetScheduleGroup',
    { Name: 'g' },
    ['scheduler:GetScheduleGroup arn:aws:scheduler:R:A:schedule-group/g'],
  ],
  [
    'scheduler',
    'ListTagsForResource',
    { ResourceArn: 'arn:aws:scheduler:eu-west-1:123456789012:schedule-group/g' },
    ['scheduler:ListTagsForResource arn:aws:scheduler:R:A:schedule-group/g'],
  ],
  ['sns', 'CreateTopic', { Name: 't' }, ['sns:CreateTopic arn:aws:sns:R:A:t']],
  ['sns', 'Publish', { TargetArn: 'arn:topic' }, ['sns:Publish arn:topic']],
  [
    'sns',
    'Unsubscribe',
    { SubscriptionArn: 'arn:aws:sns:eu-west-1:123456789012:t:id' },
    ['sns:Unsubscribe arn:aws:sns:R:A:t'],
  ],
  ['sqs', 'ListQueues', {}, ['sqs:ListQueues *']],
  ['sqs', 'GetQueueUrl', { QueueName: 'q' }, ['sqs:GetQueueUrl arn:aws:sqs:R:A:q']],
  ['ssm', 'DescribeParameters', {}, ['ssm:DescribeParameters *']],
  [
    'ssm',
    'GetParameters',
    { Names: ['/a/b:3', 'c'] },
    ['ssm:GetParameters arn:aws:ssm:R:A:parameter/a/b', 'ssm:GetParameters arn:aws:ssm:R:A:parameter/c'],
  ],
  ['ssm', 'GetParametersByPath', { Path: '/a/' }, ['ssm:GetParametersByPath arn:aws:ssm:R:A:parameter/a']],
  [
    'ssm',
    'PutParameter',
    { Name: '/a', Type: 'SecureString', KeyId: 'alias/k', Tags: [{ Key: 'k', Value: 'v' }] },
    [
      'ssm:PutParameter arn:aws:ssm:R:A:parameter/a',
      'ssm:AddTagsToResource arn:aws:ssm:R:A:parameter/a',
      'kms:Encrypt arn:aws:kms:R:A:key/k',
    ],
  ],
  [
    'ssm',
    'PutParameter',
    { Name: '/a', Type: 'SecureString' },
    ['ssm:PutParameter arn:aws:ssm:R:A:parameter/a'],
  ],
  ['sts', 'GetCallerIdentity', {}, []],
])('%s:%s with %o needs %o', (...row) => {
  const [service, operation, input, expected] = row;
  expect(needs(service, operation, input)).toEqual(expected);
});

test('resource tags have a service-specific and a global condition key', () => {
  const question = {
    operation: 'TerminateInstances',
    input: { InstanceIds: ['i-1'] },
    accountId,
    region,
    lookup,
  };
  expect(serviceRules['ec2']?.(question)[0]?.context).toEqual({
    'aws:ResourceTag/team': 'a',
    'ec2:ResourceTag/team': 'a',
  });
});

test.each<readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  [
    { MinSize: 1, MaxSize: 5 },
    { 'autoscaling:MinSize': '1', 'autoscaling:MaxSize': '5' },
  ],
  [{ LaunchConfigurationName: 'c' }, { 'autoscaling:LaunchConfigurationName': 'c' }],
  [{ LaunchTemplate: { Version: '3' } }, { 'autoscaling:LaunchTemplateVersionSpecified': 'true' }],
  [{ LaunchTemplate: { Version: '$Latest' } }, { 'autoscaling:LaunchTemplateVersionSpecified': 'false' }],
  [
    {
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { Version: '3' },
          Overrides: [{ InstanceType: 'm5.large' }],
        },
      },
    },
    {
      'autoscaling:LaunchTemplateVersionSpecified': 'true',
      'autoscaling:InstanceTypes': ['m5.large'],
    },
  ],
  [
    { VPCZoneIdentifier: 'subnet-1,subnet-2' },
    { 'autoscaling:VPCZoneIdentifiers': ['subnet-1', 'subnet-2'] },
  ],
])('UpdateAutoScalingGroup with %j has only the condition keys of what it sets', (input, keys) => {
  const question = { operation: 'UpdateAutoScalingGroup', input, accountId, region, lookup };
  const [onGroup] = serviceRules['autoscaling']?.(question) ?? [];
  const given = Object.entries(onGroup?.context ?? {}).filter(
    ([key, value]) => value !== undefined && !key.includes('ResourceTag'),
  );
  expect(Object.fromEntries(given)).toEqual(keys);
});
