import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  SetDesiredCapacityCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { EventBridgeClient, PutRuleCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { AwsError, type AwsService } from '../../../src/aws/service.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestFront, region } from '../support/test-front.ts';

const service = (signingName: string, operations: AwsService['operations']): AwsService => ({
  signingName,
  operations,
});

/** A service that records its inputs and returns the given answers. */
function recorder(signingName: string, answers: Readonly<Record<string, unknown>>) {
  const inputs: unknown[] = [];
  const operations = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (input: never) => {
        inputs.push(input);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    ]),
  );
  return {
    inputs,
    options: createTestFront({ services: [service(signingName, operations)], clock: createManualClock() })
      .clientOptions,
  };
}

test('awsQuery: lists, nested structures, dates and escapes survive in both directions', async () => {
  const group = {
    AutoScalingGroupName: 'a & <b>',
    MinSize: 0,
    MaxSize: 3,
    DesiredCapacity: 2,
    DefaultCooldown: 300,
    AvailabilityZones: ['eu-west-1a', 'eu-west-1b'],
    HealthCheckType: 'EC2',
    CreatedTime: new Date('2026-01-02T03:04:05.678Z'),
    Instances: [],
    Tags: [{ Key: 'k', Value: '', PropagateAtLaunch: true }],
  };
  const { inputs, options } = recorder('autoscaling', {
    DescribeAutoScalingGroups: { AutoScalingGroups: [group] },
  });
  const client = new AutoScalingClient(options);
  const input = {
    AutoScalingGroupNames: ['a', 'b é'],
    Filters: [{ Name: 'tag:x', Values: ['y+z', '1=2&3'] }],
    MaxRecords: 7,
  };
  const { AutoScalingGroups } = await client.send(new DescribeAutoScalingGroupsCommand(input));
  expect(inputs).toEqual([input]);
  expect(AutoScalingGroups).toEqual([group]);
});

test('awsQuery: an operation without output answers, and numbers and booleans keep their types', async () => {
  const { inputs, options } = recorder('autoscaling', { SetDesiredCapacity: undefined });
  const input = { AutoScalingGroupName: 'g', DesiredCapacity: 3, HonorCooldown: false };
  await new AutoScalingClient(options).send(new SetDesiredCapacityCommand(input));
  expect(inputs).toEqual([input]);
});

test('ec2Query: numbered lists in, sets out', async () => {
  const instance = {
    InstanceId: 'i-1',
    LaunchTime: new Date('2026-01-02T03:04:05Z'),
    Tags: [{ Key: 'a', Value: 'b' }],
  };
  const { inputs, options } = recorder('ec2', {
    DescribeInstances: { Reservations: [{ ReservationId: 'r-1', Instances: [instance] }] },
  });
  const input = { InstanceIds: ['i-1', 'i-2'], Filters: [{ Name: 'tag:a', Values: ['b', 'c'] }] };
  const { Reservations } = await new EC2Client(options).send(new DescribeInstancesCommand(input));
  expect(inputs).toEqual([input]);
  expect(Reservations?.[0]?.Instances?.[0]).toMatchObject(instance);
});

test('awsJson 1.1: EventBridge', async () => {
  const { inputs, options } = recorder('events', { PutRule: { RuleArn: 'arn:x' } });
  const input = { Name: 'r', EventPattern: '{"source":["aws.ec2"]}', Tags: [{ Key: 'a', Value: 'b' }] };
  expect(await new EventBridgeClient(options).send(new PutRuleCommand(input))).toMatchObject({
    RuleArn: 'arn:x',
  });
  expect(inputs).toEqual([input]);
});

test('restJson: labels, query and body of EventBridge Scheduler are decoded into their members', async () => {
  const { inputs, options } = recorder('scheduler', {
    CreateSchedule: { ScheduleArn: 'arn:s' },
    GetSchedule: { Name: 'a.b_c', StartDate: new Date('2026-01-02T03:04:05Z') },
    ListSchedules: { Schedules: [] },
  });
  const client = new SchedulerClient(options);
  const created = {
    Name: 'a.b_c',
    ScheduleExpression: 'rate(5 minutes)',
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    Target: { Arn: 'arn:t', RoleArn: 'arn:r' },
    StartDate: new Date('2026-01-02T03:04:05Z'),
    ClientToken: 'token',
  };
  await client.send(new CreateScheduleCommand(created));
  expect(await client.send(new GetScheduleCommand({ Name: 'a.b_c', GroupName: 'g/h i' }))).toMatchObject({
    StartDate: created.StartDate,
  });
  await client.send(new ListSchedulesCommand({ NamePrefix: 'a', MaxResults: 5 }));
  expect(inputs).toEqual([
    created,
    { Name: 'a.b_c', GroupName: 'g/h i' },
    { NamePrefix: 'a', MaxResults: 5 },
  ]);
});

test.each([
  [
    'an error code of its own',
    new AwsError({ code: 'ValidationError', message: 'no <group> & more' }),
    'ValidationError',
  ],
  [
    'a modelled error by its shape',
    new AwsError({ code: 'AlreadyExistsFault', message: 'x' }),
    'AlreadyExists',
  ],
  [
    'a modelled error by its code',
    new AwsError({ code: 'ResourceContention', message: 'x', statusCode: 500 }),
    'ResourceContention',
  ],
])('awsQuery errors carry %s', async (_, error, code) => {
  const { options } = recorder('autoscaling', { DescribeAutoScalingGroups: error });
  await expect(
    new AutoScalingClient(options).send(new DescribeAutoScalingGroupsCommand()),
  ).rejects.toMatchObject({
    Code: code,
    message: error.message,
  });
});

test('ec2Query errors carry code and message', async () => {
  const error = new AwsError({
    code: 'InvalidInstanceID.NotFound',
    message: "The instance ID 'i-1' does not exist",
  });
  const { options } = recorder('ec2', { DescribeInstances: error });
  await expect(new EC2Client(options).send(new DescribeInstancesCommand())).rejects.toMatchObject({
    name: 'InvalidInstanceID.NotFound',
    message: error.message,
  });
});

test('EC2 answers DryRunOperation if DryRun is set', async () => {
  const { inputs, options } = recorder('ec2', { DescribeInstances: {} });
  const command = new DescribeInstancesCommand({ DryRun: true });
  await expect(new EC2Client(options).send(command)).rejects.toMatchObject({ name: 'DryRunOperation' });
  expect(inputs).toEqual([]);
});

test('SQS names the query-protocol error code in the header x-amzn-query-error', async () => {
  const { options } = recorder('sqs', {
    GetQueueUrl: new AwsError({ code: 'QueueDoesNotExist', message: 'none' }),
  });
  await expect(new SQSClient(options).send(new GetQueueUrlCommand({ QueueName: 'x' }))).rejects.toMatchObject(
    {
      name: 'QueueDoesNotExist',
      Code: 'AWS.SimpleQueueService.NonExistentQueue',
      $metadata: { httpStatusCode: 400, requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
    },
  );
});

test('Parameter Store answers 400 for a missing parameter, although its schema has another status', async () => {
  const { options } = recorder('ssm', {
    GetParameter: new AwsError({ code: 'ParameterNotFound', message: '' }),
  });
  await expect(new SSMClient(options).send(new GetParameterCommand({ Name: 'x' }))).rejects.toMatchObject({
    name: 'ParameterNotFound',
    $metadata: { httpStatusCode: 400 },
  });
});

test('Scheduler errors have their message in the member that the model names', async () => {
  const error = new AwsError({ code: 'ResourceNotFoundException', message: 'Schedule x does not exist.' });
  const { options } = recorder('scheduler', { GetSchedule: error });
  await expect(
    new SchedulerClient(options).send(new GetScheduleCommand({ Name: 'x' })),
  ).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Schedule x does not exist.',
    $metadata: { httpStatusCode: 404 },
  });
});

test('an unsupported operation is refused with its name and the error code of each protocol', async () => {
  const ec2 = recorder('ec2', {});
  await expect(
    new EC2Client(ec2.options).send(new TerminateInstancesCommand({ InstanceIds: ['i-1'] })),
  ).rejects.toMatchObject({
    name: 'InvalidAction',
    message: expect.stringContaining('This sandbox does not do ec2:TerminateInstances'),
  });
  const events = recorder('events', {});
  await expect(
    new EventBridgeClient(events.options).send(new PutRuleCommand({ Name: 'r' })),
  ).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
  await expect(new SQSClient(ec2.options).send(new GetQueueUrlCommand({ QueueName: 'x' }))).rejects.toThrow(
    'does not simulate the AWS service "sqs"; it has ec2',
  );
  // Lambda, EKS and most newer services use this protocol.
  await expect(
    new SchedulerClient(ec2.options).send(new GetScheduleCommand({ Name: 'x' })),
  ).rejects.toMatchObject({
    name: 'InvalidAction',
    message: expect.stringContaining('does not simulate the AWS service "scheduler"'),
  });
});

test('a missing required member is named as the service names it', async () => {
  const sqs = recorder('sqs', { SendMessage: {} });
  await expect(
    new SQSClient(sqs.options).send(
      new SendMessageCommand({ QueueUrl: `https://sqs.${region}.amazonaws.com/1/q`, MessageBody: undefined }),
    ),
  ).rejects.toMatchObject({ Code: 'MissingParameter', message: expect.stringContaining('MessageBody') });
  const scaling = recorder('autoscaling', { SetDesiredCapacity: undefined });
  await expect(
    new AutoScalingClient(scaling.options).send(
      new SetDesiredCapacityCommand({ AutoScalingGroupName: undefined, DesiredCapacity: undefined }),
    ),
  ).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringMatching(
      /^2 validation errors detected: Value null at 'autoScalingGroupName' failed .*; Value null at 'desiredCapacity'/,
    ),
  });
});

test('a denied call has the error code of its protocol', async () => {
  const authorize = () => 'User: x is not authorized';
  const clock = createManualClock();
  const services = ['autoscaling', 'ec2', 'events'].map((name) =>
    service(name, {
      DescribeAutoScalingGroups: () => ({}),
      DescribeInstances: () => ({}),
      PutRule: () => ({}),
    }),
  );
  const options = createTestFront({ services, clock, authorize }).clientOptions;
  await expect(
    new AutoScalingClient(options).send(new DescribeAutoScalingGroupsCommand()),
  ).rejects.toMatchObject({
    name: 'AccessDenied',
    message: 'User: x is not authorized',
    $metadata: { httpStatusCode: 403 },
  });
  await expect(new EC2Client(options).send(new DescribeInstancesCommand())).rejects.toMatchObject({
    name: 'UnauthorizedOperation',
  });
  await expect(new EventBridgeClient(options).send(new PutRuleCommand({ Name: 'r' }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
});

test('SNS and SQS have their own messages for a denied call', async () => {
  const authorize = () => 'User: x is not authorized';
  const services = [service('sns', { ListTopics: () => ({}) }), service('sqs', { GetQueueUrl: () => ({}) })];
  const options = createTestFront({ services, clock: createManualClock(), authorize }).clientOptions;
  await expect(new SNSClient(options).send(new ListTopicsCommand())).rejects.toMatchObject({
    Code: 'AuthorizationError',
    $metadata: { httpStatusCode: 403 },
  });
  await expect(new SQSClient(options).send(new GetQueueUrlCommand({ QueueName: 'x' }))).rejects.toMatchObject(
    { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } },
  );
});

test('a bug of the simulation rejects the call with the original error', async () => {
  const { options } = recorder('ec2', { DescribeInstances: new TypeError('a bug') });
  await expect(new EC2Client(options).send(new DescribeInstancesCommand())).rejects.toThrow('a bug');
});
