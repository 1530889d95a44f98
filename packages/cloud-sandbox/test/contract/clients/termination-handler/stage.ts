import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  PutLifecycleHookCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand, DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { ClientsSandbox } from '../furnished-sandbox.ts';

export const hookName = 'node-termination-handler';
export const groupName = 'foreign-workers';

export interface Stage {
  readonly ec2: EC2Client;
  readonly autoScaling: AutoScalingClient;
  readonly sqs: SQSClient;
  readonly queueUrl: string;
}

/** A spot group of one instance that carries the tag of the cluster, with a hook, a queue and rules as NTH's guide makes them. */
export async function prepareStage({
  doors,
  region,
  accessKeyId,
  secretAccessKey,
}: ClientsSandbox): Promise<Stage> {
  const options = { endpoint: doors.aws.url, region, credentials: { accessKeyId, secretAccessKey } };
  const [ec2, autoScaling, sqs, events] = [
    new EC2Client(options),
    new AutoScalingClient(options),
    new SQSClient(options),
    new EventBridgeClient(options),
  ];
  await makeGroup(ec2, autoScaling);
  return { ec2, autoScaling, sqs, queueUrl: await makeQueue(sqs, events) };
}

async function makeGroup(ec2: EC2Client, autoScaling: AutoScalingClient): Promise<void> {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: groupName,
      LaunchTemplateData: {
        InstanceType: 'm5.large',
        ImageId: 'ami-0123456789abcdef0',
        InstanceMarketOptions: { MarketType: 'spot' },
      },
    }),
  );
  await autoScaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: groupName,
      LaunchTemplate: { LaunchTemplateName: groupName, Version: '$Latest' },
      MinSize: 0,
      MaxSize: 4,
      DesiredCapacity: 1,
      VPCZoneIdentifier: Subnets.map(({ SubnetId }) => SubnetId).join(','),
      Tags: [
        { Key: 'kubernetes.io/cluster/sandbox', Value: 'owned', PropagateAtLaunch: true },
        { Key: 'aws-node-termination-handler/managed', Value: 'true', PropagateAtLaunch: true },
      ],
    }),
  );
  await autoScaling.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName: groupName,
      LifecycleHookName: hookName,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 7200,
      DefaultResult: 'CONTINUE',
    }),
  );
}

/** The rules of its guide, of which two are needed here. */
const patterns = {
  'nth-termination': {
    source: ['aws.autoscaling'],
    'detail-type': ['EC2 Instance-terminate Lifecycle Action'],
    detail: { AutoScalingGroupName: [groupName] },
  },
  'nth-spot': { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] },
};

async function makeQueue(sqs: SQSClient, events: EventBridgeClient): Promise<string> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'nth' }));
  const { QueueArn = '' } = await queueAttributes({ sqs, queueUrl: QueueUrl });
  const statement = {
    Effect: 'Allow',
    Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
    Action: 'sqs:SendMessage',
    Resource: [QueueArn],
  };
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });

  await sqs.send(
    new SetQueueAttributesCommand({
      QueueUrl,
      Attributes: { Policy: policy, MessageRetentionPeriod: '300', SqsManagedSseEnabled: 'true' },
    }),
  );
  for (const [Name, pattern] of Object.entries(patterns)) {
    await events.send(new PutRuleCommand({ Name, EventPattern: JSON.stringify(pattern) }));
    await events.send(new PutTargetsCommand({ Rule: Name, Targets: [{ Id: '1', Arn: QueueArn }] }));
  }
  return QueueUrl;
}

export async function queueAttributes({
  sqs,
  queueUrl,
}: Pick<Stage, 'sqs' | 'queueUrl'>): Promise<Readonly<Partial<Record<QueueAttributeName, string>>>> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
  );
  return Attributes;
}

/** Of the group's instances, by their ids: InService, Terminating:Wait ... */
export async function statesOf({ autoScaling }: Stage): Promise<Readonly<Record<string, string>>> {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [groupName] }),
  );
  const instances = AutoScalingGroups[0]?.Instances ?? [];
  return Object.fromEntries(
    instances.map(({ InstanceId = '', LifecycleState = '' }) => [InstanceId, LifecycleState]),
  );
}
