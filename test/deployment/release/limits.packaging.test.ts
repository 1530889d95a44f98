import { expect, test } from 'vitest';
import { settle } from '../../../local/deployment/settle.ts';
import { releaseParameters, templateName } from '../../../scripts/release/parameters.ts';
import { privateRelease } from '../../support/released.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The longest names that AWS takes, from the references of each service. CloudFormation names the queues. */
const longest: Readonly<Record<string, readonly [property: string, characters: number]>> = {
  'AWS::IAM::Role': ['RoleName', 64],
  'AWS::Lambda::Function': ['FunctionName', 64],
  'AWS::Events::Rule': ['Name', 64],
  'AWS::Scheduler::ScheduleGroup': ['Name', 64],
  'AWS::SNS::Topic': ['TopicName', 256],
  'AWS::CloudWatch::Alarm': ['AlarmName', 255],
  'AWS::Logs::LogGroup': ['LogGroupName', 512],
};

const everything = {
  Cluster: 'c'.repeat(57),
  AlarmEmail: 'ops@example.com',
  ExtraAlarmTopic: 'arn:aws:sns:ap-southeast-2:123456789012:on-call',
  NotificationEmail: 'people@example.com',
  NotificationTopic: 'arn:aws:sns:eu-west-1:123456789012:people',
  ChatWebhookSecret: 'drover/chat',
  TokenWebhook: 'on',
  IdentityConfigMap: 'trusted',
  EtcdDomain: 'etcd.example.com',
  EtcdZoneId: 'Z0123456789ABC',
  EtcdSnapshotBucket: 's'.repeat(63),
  BootstrapRoles: 'worker,control-plane',
  HookTopic: 'arn:aws:sns:ap-southeast-2:123456789012:hooks',
  OperatorRole: 'arn:aws:iam::123456789012:role/operators/*',
};
const { resources: settled, pseudo } = await privateRelease({
  stackName: `drover-${'s'.repeat(36)}`,
  region: 'ap-southeast-2',
  parameters: everything,
});
const resources = Object.entries(
  settle(settled, { values: pseudo, conditions: {} }, 'the template') as Readonly<Record<string, Resource>>,
);

test('with the longest stage and cluster, AWS takes every name', () => {
  const seen = new Set<string>();
  for (const [logicalId, { Type, Properties = {} }] of resources) {
    const [property, characters] = longest[Type] ?? [];
    const name = property && Properties[property];
    if (typeof name !== 'string') continue;
    seen.add(Type);
    expect(name.length, `${logicalId}: ${name}`).toBeLessThanOrEqual(characters ?? 0);
  }
  expect([...seen].toSorted()).toEqual(Object.keys(longest).toSorted());
});

test('the policies of each role fit into the 10,240 characters that IAM counts', () => {
  for (const [logicalId, { Type, Properties }] of resources)
    if (Type === 'AWS::IAM::Role')
      expect(JSON.stringify(Properties?.['Policies'] ?? []).length, logicalId).toBeLessThan(10_240);
});

test('no resource has the name of a parameter, which CloudFormation refuses', () => {
  const names = Object.keys(releaseParameters()).map(templateName);
  expect(resources.map(([logicalId]) => logicalId).filter((one) => names.includes(one))).toEqual([]);
});

test('a queue outlives its stack, with the messages that wait in it', () => {
  const queues = resources.filter(([, { Type }]) => Type === 'AWS::SQS::Queue');
  expect(queues.length).toBeGreaterThan(5);
  for (const [, queue] of queues)
    expect(queue).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
});
