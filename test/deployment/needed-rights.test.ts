import type { PolicyDocument } from '@drover/cloud-sandbox';
import { describe, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';

const wiring = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });

/** What a function may do: `sqs:SendMessage LeavingQueue`, or only the action if it is allowed on every resource. */
function rightsOf(functionName: string): readonly string[] {
  const { roleArn } = wiring.functions.find(({ name }) => name === functionName) ?? {};
  const role = wiring.roles.find((one) => one.roleArn === roleArn);
  return (role?.policies ?? []).flatMap(({ document }) => document.Statement.flatMap(rightsIn));
}

const rightsIn = ({ Action, Resource }: PolicyDocument['Statement'][number]): readonly string[] =>
  [Action]
    .flat()
    .flatMap((action) =>
      [Resource].flat().map((resource) => `${String(action)}${placeOf(String(resource))}`),
    );

function placeOf(arn: string): string {
  const queue = wiring.queues.find(({ queueArn }) => queueArn === arn);
  return queue ? ` ${queueKinds.find((kind) => queue.queueName.includes(kind))}` : '';
}

/** The longer names first. */
const queueKinds = [
  'InboxDeadLetterQueue',
  'InboxQueue',
  'LeavingDeadLetterQueue',
  'LeavingQueue',
  'HeartbeatsDeadLetterQueue',
  'HeartbeatsQueue',
  'JoiningDeadLetterQueue',
  'JoiningQueue',
  'EtcdDeadLetterQueue',
  'EtcdQueue',
  'CapacityDeadLetterQueue',
  'CapacityQueue',
  'RollDeadLetterQueue',
  'RollQueue',
];

describe('a function has each right that its work needs', () => {
  test.each([
    ['node-leaving', 'hide its messages', 'sqs:ChangeMessageVisibility LeavingQueue'],
    ['node-leaving', 'renew a message that was received 900 times', 'sqs:SendMessage LeavingQueue'],
    ['node-leaving', 'park what it does not understand', 'sqs:SendMessage LeavingDeadLetterQueue'],
    ['node-leaving', 'see the state of an instance', 'autoscaling:DescribeAutoScalingInstances'],
    ['node-leaving', 'see the terms of a group', 'autoscaling:DescribeAutoScalingGroups'],
    ['node-leaving', 'see the timeout of its hook', 'autoscaling:DescribeLifecycleHooks'],
    ['node-leaving', 'see an instance that has left its group', 'ec2:DescribeInstances'],
    ['node-leaving', 'wait for load balancers', 'elasticloadbalancing:DescribeTargetHealth'],
    [
      'node-leaving',
      'find out which hook an instance waits on',
      'autoscaling:RecordLifecycleActionHeartbeat',
    ],
    ['node-leaving', 'keep a wait whose event was lost', 'sqs:SendMessage HeartbeatsQueue'],
    ['node-leaving', 'end a wait', 'autoscaling:CompleteLifecycleAction'],
    ['node-leaving', 'hand an instance back', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
    ['node-leaving', 'send notifications', 'events:PutEvents'],
    ['node-joining', 'send notifications', 'events:PutEvents'],
    ['certificate-requests', 'send notifications', 'events:PutEvents'],
    ['prewarm', 'send notifications', 'events:PutEvents'],
    ['node-joining', 'hide its messages', 'sqs:ChangeMessageVisibility JoiningQueue'],
    ['node-joining', 'renew a message that was received 900 times', 'sqs:SendMessage JoiningQueue'],
    ['node-joining', 'park what it does not understand', 'sqs:SendMessage JoiningDeadLetterQueue'],
    ['node-joining', 'see the state of an instance', 'autoscaling:DescribeAutoScalingInstances'],
    ['node-joining', 'see the terms of a group', 'autoscaling:DescribeAutoScalingGroups'],
    ['node-joining', 'see the timeout of its hook', 'autoscaling:DescribeLifecycleHooks'],
    ['node-joining', 'see when instances left their pool', 'autoscaling:DescribeScalingActivities'],
    ['node-joining', 'see the names of an instance', 'ec2:DescribeInstances'],
    ['node-joining', 'keep a wait whose event was lost', 'sqs:SendMessage HeartbeatsQueue'],
    ['node-joining', 'end a wait', 'autoscaling:CompleteLifecycleAction'],
    ['etcd-membership', 'keep a wait whose event was lost', 'sqs:SendMessage HeartbeatsQueue'],
    ['heartbeats', 'hide its messages', 'sqs:ChangeMessageVisibility HeartbeatsQueue'],
    ['heartbeats', 'renew a message that was received 900 times', 'sqs:SendMessage HeartbeatsQueue'],
    ['heartbeats', 'park what it does not understand', 'sqs:SendMessage HeartbeatsDeadLetterQueue'],
    ['heartbeats', 'keep a wait', 'autoscaling:RecordLifecycleActionHeartbeat'],
    ['heartbeats', 'see the timeout of a hook', 'autoscaling:DescribeLifecycleHooks'],
    ['heartbeats', 'see whether an instance still waits', 'autoscaling:DescribeAutoScalingInstances'],
    ['heartbeats', 'see whether a group has lost its tags', 'autoscaling:DescribeAutoScalingGroups'],
    ['heartbeats', 'see whether an instance has ended', 'ec2:DescribeInstances'],
    ['intake', 'request the heartbeats of a wait', 'sqs:SendMessage HeartbeatsQueue'],
    ['intake', 'see the timeout of a hook', 'autoscaling:DescribeLifecycleHooks'],
    ['sweep', 'request the heartbeats of every wait', 'sqs:SendMessage HeartbeatsQueue'],
    ['etcd-membership', 'hide its messages', 'sqs:ChangeMessageVisibility EtcdQueue'],
    ['etcd-membership', 'renew a message', 'sqs:SendMessage EtcdQueue'],
    ['etcd-membership', 'park what it does not understand', 'sqs:SendMessage EtcdDeadLetterQueue'],
    ['intake', 'hide its messages', 'sqs:ChangeMessageVisibility InboxQueue'],
    ['intake', 'wake the passes over nodes', 'sqs:SendMessage LeavingQueue'],
    ['intake', 'wake the passes over joining nodes', 'sqs:SendMessage JoiningQueue'],
    ['intake', 'wake the passes over etcd', 'sqs:SendMessage EtcdQueue'],
    ['intake', 'park what it does not understand', 'sqs:SendMessage InboxDeadLetterQueue'],
    ['intake', 'find the group of an instance', 'autoscaling:DescribeAutoScalingInstances'],
    ['prewarm', 'hide its messages', 'sqs:ChangeMessageVisibility CapacityQueue'],
    ['prewarm', 'send groups to their passes', 'sqs:SendMessage CapacityQueue'],
    ['prewarm', 'park what it does not understand', 'sqs:SendMessage CapacityDeadLetterQueue'],
    ['prewarm', 'see the bounds of groups', 'autoscaling:DescribeAutoScalingGroups'],
    ['roll', 'send notifications', 'events:PutEvents'],
    ['roll', 'hide its messages', 'sqs:ChangeMessageVisibility RollQueue'],
    ['roll', 'send itself the next step', 'sqs:SendMessage RollQueue'],
    ['roll', 'park what it does not understand', 'sqs:SendMessage RollDeadLetterQueue'],
    ['roll', 'replace an instance', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
    ['roll', 'replace an instance after its replacement', 'autoscaling:SetInstanceHealth'],
    ['roll', 'see alarms that stop a roll', 'cloudwatch:DescribeAlarms'],
    ['roll', 'compare images of public parameters', 'ssm:GetParameters'],
    ['roll', 'compare versions of launch templates', 'ec2:DescribeLaunchTemplateVersions'],
    ['roll', 'know the size of new nodes', 'ec2:DescribeInstanceTypes'],
    ['roll', 'see an instance refresh that begins', 'autoscaling:DescribeInstanceRefreshes'],
    ['roll', 'see that a group has lost its hook', 'autoscaling:DescribeLifecycleHooks'],
    ['roll', 'count launches that fail', 'autoscaling:DescribeScalingActivities'],
    ['scale-api', 'compare images of public parameters', 'ssm:GetParameters'],
    ['scale-api', 'compare versions of launch templates', 'ec2:DescribeLaunchTemplateVersions'],
    ['scale-api', 'see an instance refresh that is active', 'autoscaling:DescribeInstanceRefreshes'],
    ['scale-api', 'wake roll', 'sqs:SendMessage RollQueue'],
    ['sweep', 'send waits whose event was lost', 'sqs:SendMessage LeavingQueue'],
    ['sweep', 'send launches whose event was lost', 'sqs:SendMessage JoiningQueue'],
    ['sweep', 'see which hook an instance waits on', 'autoscaling:DescribeLifecycleHooks'],
    ['sweep', 'see whether the instance of a Node has terminated', 'ec2:DescribeInstances'],
  ])('%s may %s', (functionName, _purpose, right) => {
    expect(rightsOf(functionName)).toContain(right);
  });
});

test.each(['stopping', 'stopped', 'shutting-down', 'terminated'])(
  'an instance that EC2 reports as %s reaches the inbox',
  (state) => {
    const patterns = wiring.rules.map(
      ({ rule }) =>
        JSON.parse(rule.EventPattern ?? '{}') as { readonly detail?: { readonly state?: readonly string[] } },
    );
    expect(patterns.flatMap(({ detail }) => detail?.state ?? [])).toContain(state);
  },
);
