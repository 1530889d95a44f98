import { expect, test } from 'vitest';
import { createAuthorizer } from '../../../src/aws/iam/authorizer.ts';
import { createIam } from '../../../src/aws/iam/iam.ts';
import { readPolicy } from '../../../src/aws/iam/policy.ts';
import { createResourcePolicies } from '../../../src/aws/iam/resource-policies.ts';
import type { ResourceLookup } from '../../../src/aws/iam/rules/rule.ts';
import { serviceMay } from '../../../src/aws/iam/service-access.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, region } from '../support/test-front.ts';

const groupArn = (name: string): string =>
  `arn:aws:autoscaling:${region}:${accountId}:autoScalingGroup:uuid:autoScalingGroupName/${name}`;
const queueArn = `arn:aws:sqs:${region}:${accountId}:work`;
const keyArn = `arn:aws:kms:${region}:${accountId}:key/k`;

const lookup: ResourceLookup = {
  tags: (arn) => (arn === groupArn('ours') ? { 'kubernetes.io/cluster/drover': 'owned' } : undefined),
  autoScalingGroupArn: (name) => (name === 'ours' || name === 'foreign' ? groupArn(name) : undefined),
  autoScalingGroupOfInstance: (id) => (id === 'i-ours' ? 'ours' : undefined),
  parameterKeyArn: (name) => (name === '/secret' ? keyArn : undefined),
  roleBoundary: () => undefined,
};

/** A role with these statements, and what it may do. */
function roleWith(statements: readonly object[], options: { queuePolicy?: object; trust?: object } = {}) {
  const queuePolicy = options.queuePolicy === undefined ? undefined : JSON.stringify(options.queuePolicy);
  const clock = createManualClock();
  const iam = createIam({ clock, random: createRandom(1), accountId });
  const trustPolicy = { Statement: options.trust ?? [] };
  const policies = [{ Version: '2012-10-17', Statement: statements }];
  const { arn } = iam.putRole({ roleName: 'drover', policies, trustPolicy });
  const { accessKeyId } = iam.issueCredentials({ roleArn: arn, sessionName: 's', durationSeconds: 900 });
  const principal = iam.findIdentity(accessKeyId)?.principal;
  if (principal === undefined) throw new Error('no identity');
  const resourcePolicyOf = createResourcePolicies({
    iam: (role) => iam.role(role)?.trustPolicy,
    sqs: (resource) => (resource === queueArn ? queuePolicy : undefined),
  });
  const authorize = createAuthorizer({
    accountId,
    region,
    clock,
    lookup,
    policiesOf: (who) => iam.policiesOf(who),
    roleArnOf: (who) => iam.roleArnOf(who),
    resourcePolicyOf,
  });
  return (service: string, operation: string, input: Readonly<Record<string, unknown>> = {}) =>
    authorize({ principal, service, operation, input });
}

const tagCondition = {
  StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/drover': ['owned', 'shared'] },
};
const session = `arn:aws:sts::${accountId}:assumed-role/drover/s`;

test('a permission on tagged groups applies to those groups only, with the denial message of AWS', () => {
  const may = roleWith([
    {
      Effect: 'Allow',
      Action: 'autoscaling:*',
      Resource: groupArn('*').replace('uuid', '*'),
      Condition: tagCondition,
    },
  ]);
  expect(may('autoscaling', 'SetDesiredCapacity', { AutoScalingGroupName: 'ours' })).toBeUndefined();
  expect(may('autoscaling', 'TerminateInstanceInAutoScalingGroup', { InstanceId: 'i-ours' })).toBeUndefined();
  expect(may('autoscaling', 'SetDesiredCapacity', { AutoScalingGroupName: 'foreign' })).toBe(
    `User: ${session} is not authorized to perform: autoscaling:SetDesiredCapacity on resource: ${groupArn('foreign')} because no identity-based policy allows the autoscaling:SetDesiredCapacity action`,
  );
  expect(may('autoscaling', 'CompleteLifecycleAction', { AutoScalingGroupName: 'unknown' })).toContain(
    'autoScalingGroup:*:',
  );
});

test('Describe actions need the resource "*", not a group (Service Authorization Reference)', () => {
  const onGroup = roleWith([{ Effect: 'Allow', Action: 'autoscaling:*', Resource: groupArn('ours') }]);
  expect(onGroup('autoscaling', 'DescribeAutoScalingGroups', { AutoScalingGroupNames: ['ours'] })).toContain(
    'because no identity-based policy allows',
  );
  const onAll = roleWith([
    { Effect: 'Allow', Action: ['autoscaling:Describe*', 'ec2:DescribeInstances'], Resource: '*' },
  ]);
  expect(onAll('autoscaling', 'DescribeAutoScalingGroups')).toBeUndefined();
  expect(onAll('ec2', 'DescribeInstances', { InstanceIds: ['i-1'] })).toBeUndefined();
  expect(onAll('ec2', 'TerminateInstances', { InstanceIds: ['i-1'] })).toMatch(
    /^You are not authorized to perform this operation\. User: .* ec2:TerminateInstances on resource: arn:aws:ec2:eu-west-1:123456789012:instance\/i-1/,
  );
});

test('SQS batches need the permission of the single action, and SQS prints actions in lower case', () => {
  const may = roleWith([{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queueArn }]);
  const QueueUrl = `http://127.0.0.1:4566/${accountId}/work`;
  expect(may('sqs', 'SendMessageBatch', { QueueUrl })).toBeUndefined();
  expect(may('sqs', 'DeleteMessageBatch', { QueueUrl })).toContain(
    'is not authorized to perform: sqs:deletemessage on',
  );
});

test('a queue policy can allow what the role does not, and deny what the role allows', () => {
  const QueueUrl = `https://sqs.eu-west-1.amazonaws.com/${accountId}/work`;
  const statement = (effect: string, more: object) => ({
    Effect: effect,
    Action: 'sqs:*',
    Resource: queueArn,
    ...more,
  });
  const given = roleWith([], {
    queuePolicy: {
      Statement: [statement('Allow', { Principal: { AWS: `arn:aws:iam::${accountId}:role/drover` } })],
    },
  });
  expect(given('sqs', 'ReceiveMessage', { QueueUrl })).toBeUndefined();
  const taken = roleWith([{ Effect: 'Allow', Action: '*', Resource: '*' }], {
    queuePolicy: { Statement: [statement('Deny', { Principal: '*' })] },
  });
  expect(taken('sqs', 'ReceiveMessage', { QueueUrl })).toContain(
    'with an explicit deny in a resource-based policy',
  );
  const plain = roleWith([{ Effect: 'Allow', Action: '*', Resource: '*' }], {
    queuePolicy: {
      Statement: [
        statement('Deny', { Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ],
    },
  });
  expect(plain('sqs', 'ReceiveMessage', { QueueUrl })).toBeUndefined();
});

test('a resource policy that names the account leaves the decision to the role', () => {
  const QueueUrl = `https://sqs.eu-west-1.amazonaws.com/${accountId}/work`;
  const queuePolicy = {
    Statement: [{ Effect: 'Allow', Principal: { AWS: accountId }, Action: 'sqs:*', Resource: queueArn }],
  };
  expect(roleWith([], { queuePolicy })('sqs', 'ReceiveMessage', { QueueUrl })).toContain(
    'no identity-based policy',
  );
});

test('reading a SecureString under a customer key needs kms:Decrypt through Parameter Store', () => {
  const parameter = {
    Effect: 'Allow',
    Action: 'ssm:GetParameter',
    Resource: `arn:aws:ssm:${region}:${accountId}:parameter/secret`,
  };
  const decrypt = {
    Effect: 'Allow',
    Action: 'kms:Decrypt',
    Resource: `arn:aws:kms:${region}:${accountId}:key/*`,
    Condition: {
      StringEquals: {
        'kms:ViaService': `ssm.${region}.amazonaws.com`,
        'kms:EncryptionContext:PARAMETER_ARN': parameter.Resource,
      },
    },
  };
  const input = { Name: '/secret', WithDecryption: true };
  expect(roleWith([parameter, decrypt])('ssm', 'GetParameter', input)).toBeUndefined();
  expect(roleWith([parameter])('ssm', 'GetParameter', input)).toContain('kms:Decrypt on resource');
  expect(roleWith([parameter])('ssm', 'GetParameter', { Name: '/secret' })).toBeUndefined();
  expect(roleWith([parameter])('ssm', 'GetParameter', { Name: '/secret:3' })).toBeUndefined();
});

test('tags of a request are the condition keys aws:RequestTag and aws:TagKeys', () => {
  const may = roleWith([
    {
      Effect: 'Allow',
      Action: 'ec2:RunInstances',
      Resource: '*',
      Condition: {
        StringEquals: { 'aws:RequestTag/team': 'a' },
        'ForAllValues:StringEquals': { 'aws:TagKeys': ['team'] },
      },
    },
  ]);
  const tags = (...Tags: object[]) => ({ TagSpecifications: [{ ResourceType: 'instance', Tags }] });
  expect(may('ec2', 'RunInstances', tags({ Key: 'team', Value: 'a' }))).toBeUndefined();
  expect(
    may('ec2', 'RunInstances', tags({ Key: 'team', Value: 'a' }, { Key: 'x', Value: 'y' })),
  ).toBeDefined();
  expect(may('ec2', 'RunInstances', tags())).toBeDefined();
});

test('passing a role to a service needs iam:PassRole for that service', () => {
  const schedule = { Effect: 'Allow', Action: 'scheduler:CreateSchedule', Resource: '*' };
  const pass = {
    Effect: 'Allow',
    Action: 'iam:PassRole',
    Resource: `arn:aws:iam::${accountId}:role/target`,
    Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
  };
  const input = { Name: 's', Target: { Arn: 'arn:t', RoleArn: `arn:aws:iam::${accountId}:role/target` } };
  expect(roleWith([schedule])('scheduler', 'CreateSchedule', input)).toContain('iam:PassRole');
  expect(roleWith([schedule, pass])('scheduler', 'CreateSchedule', input)).toBeUndefined();
});

test('AssumeRole needs the trust of the role; GetCallerIdentity needs nothing', () => {
  const assume = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' };
  const RoleArn = `arn:aws:iam::${accountId}:role/drover`;
  const trust = {
    Effect: 'Allow',
    Principal: { AWS: `arn:aws:iam::${accountId}:root` },
    Action: 'sts:AssumeRole',
  };
  expect(roleWith([assume])('sts', 'AssumeRole', { RoleArn })).toContain('no resource-based policy allows');
  expect(roleWith([], { trust })('sts', 'AssumeRole', { RoleArn })).toContain(
    'no identity-based policy allows',
  );
  expect(roleWith([assume], { trust })('sts', 'AssumeRole', { RoleArn })).toBeUndefined();
  expect(
    roleWith([{ Effect: 'Deny', Action: '*', Resource: '*' }])('sts', 'GetCallerIdentity'),
  ).toBeUndefined();
});

test('a service reaches a queue only from the source that the queue policy names', () => {
  const rule = `arn:aws:events:${region}:${accountId}:rule/drover-spot`;
  const policy = readPolicy(
    {
      Statement: {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnLike: { 'aws:SourceArn': `arn:aws:events:${region}:${accountId}:rule/drover-*` } },
      },
    },
    'resource',
  );
  const request = {
    service: 'events.amazonaws.com',
    action: 'sqs:SendMessage',
    resource: queueArn,
    sourceArn: rule,
    accountId,
  };
  expect(serviceMay(request, policy)).toBe(true);
  expect(serviceMay({ ...request, sourceArn: rule.replace('drover', 'other') }, policy)).toBe(false);
  expect(serviceMay({ ...request, service: 'sns.amazonaws.com' }, policy)).toBe(false);
  expect(serviceMay(request, undefined)).toBe(false);
});
