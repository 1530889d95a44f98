import {
  AutoScalingClient,
  CompleteLifecycleActionCommand,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand, DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  CreateTargetGroupCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import {
  EventBridgeClient,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateScheduleCommand, GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { expect, test } from 'vitest';
import { createAutoScaling } from '../../src/aws/auto-scaling/auto-scaling.ts';
import { createEc2 } from '../../src/aws/ec2/ec2.ts';
import { createElasticLoadBalancing } from '../../src/aws/elastic-load-balancing/elastic-load-balancing.ts';
import { createEvents } from '../../src/aws/events/events.ts';
import { createScheduler } from '../../src/aws/scheduler/scheduler.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createVirtualClock } from '../../src/simulation/virtual-clock.ts';
import { advanceClock } from './support/cloud.ts';
import { createTestFront } from './support/test-front.ts';

/** The five services behind one front, and the SDK's own clients before it. */
function createAccount() {
  const clock = createVirtualClock();
  const parts = { clock, random: createRandom(1), accountId: '123456789012', region: 'eu-west-1' };
  const inbox: string[] = [];
  const deliver = (_targetArn: string, body: string): void => void inbox.push(body);
  const events = createEvents({ ...parts, deliver });
  const ec2 = createEc2({ ...parts, putAwsEvent: events.putAwsEvent });
  const balancing = createElasticLoadBalancing(parts);
  const { putAwsEvent } = events;
  const autoScaling = createAutoScaling({ ...parts, ec2, putAwsEvent, deliver, targets: balancing.targets });
  const services = [events, ec2, balancing, autoScaling, createScheduler({ ...parts, deliver })];
  const { clientOptions } = createTestFront({ services, clock });
  return {
    inbox,
    advance: (seconds: number) => advanceClock(clock, seconds),
    autoScaling: new AutoScalingClient(clientOptions),
    ec2: new EC2Client(clientOptions),
    balancing: new ElasticLoadBalancingV2Client(clientOptions),
    events: new EventBridgeClient(clientOptions),
    scheduler: new SchedulerClient(clientOptions),
  };
}

const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:inbox';

test("a group can be set up and drained with AWS's own SDK clients", async () => {
  const { inbox, advance, autoScaling, ec2, balancing, events } = createAccount();
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 'node',
      LaunchTemplateData: { InstanceType: 'm5.large' },
    }),
  );
  const web = await balancing.send(new CreateTargetGroupCommand({ Name: 'web', Protocol: 'TCP', Port: 443 }));
  const targetGroupArn = web.TargetGroups?.[0]?.TargetGroupArn ?? '';
  const Pattern = { source: ['aws.autoscaling'], detail: { LifecycleHookName: ['drain'] } };
  await events.send(new PutRuleCommand({ Name: 'hooks', EventPattern: JSON.stringify(Pattern) }));
  await events.send(new PutTargetsCommand({ Rule: 'hooks', Targets: [{ Id: 'inbox', Arn: queueArn }] }));
  await autoScaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: 'workers',
      LaunchTemplate: { LaunchTemplateId: LaunchTemplate?.LaunchTemplateId, Version: '$Latest' },
      MinSize: 0,
      MaxSize: 3,
      DesiredCapacity: 1,
      AvailabilityZones: ['eu-west-1a', 'eu-west-1b'],
      TargetGroupARNs: [targetGroupArn],
      Tags: [{ Key: 'kubernetes.io/cluster/drover', Value: 'owned', PropagateAtLaunch: true }],
    }),
  );
  const hook = { AutoScalingGroupName: 'workers', LifecycleHookName: 'drain' };
  const LifecycleTransition = 'autoscaling:EC2_INSTANCE_TERMINATING';
  await autoScaling.send(new PutLifecycleHookCommand({ ...hook, LifecycleTransition, HeartbeatTimeout: 60 }));
  advance(60);

  const Filters = [{ Name: 'tag:kubernetes.io/cluster/drover', Values: ['owned'] }];
  const { AutoScalingGroups } = await autoScaling.send(new DescribeAutoScalingGroupsCommand({ Filters }));
  const InstanceId = AutoScalingGroups?.[0]?.Instances?.[0]?.InstanceId ?? '';
  expect(AutoScalingGroups?.[0]).toMatchObject({
    CreatedTime: new Date('2026-01-05T08:00:00Z'),
    Instances: [{ LifecycleState: 'InService', HealthStatus: 'Healthy', ProtectedFromScaleIn: false }],
    LaunchTemplate: { LaunchTemplateName: 'node', Version: '$Latest' },
  });
  const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [InstanceId] }));
  expect(Reservations?.[0]?.Instances?.[0]).toMatchObject({
    State: { Name: 'running', Code: 16 },
    PrivateDnsName: 'ip-10-0-0-4.eu-west-1.compute.internal',
  });
  const { Activity } = await autoScaling.send(
    new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: true }),
  );
  expect(Activity).toMatchObject({ StatusCode: 'WaitingForELBConnectionDraining', Progress: 50 });
  const health = await balancing.send(new DescribeTargetHealthCommand({ TargetGroupArn: targetGroupArn }));
  expect(health.TargetHealthDescriptions?.[0]?.TargetHealth?.State).toBe('draining');
  advance(301);
  const { AutoScalingInstances } = await autoScaling.send(
    new DescribeAutoScalingInstancesCommand({ InstanceIds: [InstanceId] }),
  );
  expect(AutoScalingInstances?.[0]?.LifecycleState).toBe('Terminating:Wait');
  expect(JSON.parse(inbox[0] ?? '')).toMatchObject({
    detail: { EC2InstanceId: InstanceId, Destination: 'EC2' },
  });

  const complete = new CompleteLifecycleActionCommand({
    ...hook,
    InstanceId,
    LifecycleActionResult: 'CONTINUE',
  });
  await autoScaling.send(complete);
  await expect(autoScaling.send(complete)).rejects.toMatchObject({
    name: 'ValidationError',
    message: `No active Lifecycle Action found with instance ID ${InstanceId}`,
  });
  advance(20);
  const after = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: ['workers'] }),
  );
  expect(after.AutoScalingGroups?.[0]).toMatchObject({ DesiredCapacity: 0 });
  expect(after.AutoScalingGroups?.[0]?.Instances ?? []).toEqual([]);
});

test('hooks, rules, targets and schedules are read back as written', async () => {
  const { autoScaling, ec2, events, scheduler } = createAccount();
  await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 'node',
      LaunchTemplateData: { InstanceType: 'm5.large' },
    }),
  );
  const LifecycleHookSpecificationList = [
    {
      LifecycleHookName: 'join',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      DefaultResult: 'CONTINUE',
    },
  ];
  await autoScaling.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: 'workers',
      LaunchTemplate: { LaunchTemplateName: 'node' },
      MinSize: 0,
      MaxSize: 1,
      AvailabilityZones: ['eu-west-1a'],
      LifecycleHookSpecificationList,
    }),
  );
  const hooks = await autoScaling.send(
    new DescribeLifecycleHooksCommand({ AutoScalingGroupName: 'workers' }),
  );
  expect(hooks.LifecycleHooks).toMatchObject([
    { ...LifecycleHookSpecificationList[0], GlobalTimeout: 172_800 },
  ]);

  const target = { Id: 'inbox', Arn: queueArn, RetryPolicy: { MaximumRetryAttempts: 3 } };
  await events.send(new PutRuleCommand({ Name: 'sweep', ScheduleExpression: 'rate(5 minutes)' }));
  await events.send(new PutTargetsCommand({ Rule: 'sweep', Targets: [target] }));
  const { Targets } = await events.send(new ListTargetsByRuleCommand({ Rule: 'sweep' }));
  expect(Targets).toEqual([target]);

  const schedule = {
    Name: 'morning',
    ScheduleExpression: 'cron(0 7 ? * MON-FRI *)',
    ScheduleExpressionTimezone: 'Europe/Berlin',
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    Target: { Arn: queueArn, RoleArn: 'arn:aws:iam::123456789012:role/scheduler' },
  };
  await scheduler.send(new CreateScheduleCommand(schedule));
  expect(await scheduler.send(new GetScheduleCommand({ Name: 'morning' }))).toMatchObject({
    ...schedule,
    State: 'ENABLED',
  });
});
