import { inspect } from 'node:util';
import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { HttpResponse } from '@smithy/core/transport';
import { describe, expect, it } from 'vitest';
import { autoScalingApi } from '../../../../shared/aws/api/auto-scaling-api.ts';
import { AwsError } from '../../../../shared/aws/api/aws-error.ts';
import { ec2Api } from '../../../../shared/aws/api/ec2-api.ts';
import { sqsApi } from '../../../../shared/aws/api/sqs-api.ts';
import { ssmApi } from '../../../../shared/aws/api/ssm-api.ts';
import { UnreadableAnswerError } from '../../../../shared/aws/api/unreadable-answer.ts';
import type { AwsConnection } from '../../../../shared/aws/connection.ts';

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };

/** AWS that answers everything with one text; what was asked is kept. */
function answering(body: string, statusCode = 200) {
  const headers = { 'x-amzn-requestid': 'b1946ac9' };
  const requestHandler = {
    handle: () =>
      Promise.resolve({ response: new HttpResponse({ statusCode, headers, body: Buffer.from(body) }) }),
  };
  const connection: AwsConnection = {
    region: 'eu-west-1',
    credentials: () => credentials,
    requestHandler,
    clock: { now: () => 0 },
  };
  return { connection, sdk: { region: 'eu-west-1', credentials, requestHandler, maxAttempts: 1 } };
}

const groupsXml = `<DescribeAutoScalingGroupsResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <DescribeAutoScalingGroupsResult><AutoScalingGroups><member>
    <AutoScalingGroupName>workers &amp; more</AutoScalingGroupName><MinSize>1</MinSize><MaxSize>10</MaxSize>
    <DesiredCapacity>2</DesiredCapacity><TargetGroupARNs/><CreatedTime>2026-11-21T07:00:00.123Z</CreatedTime>
    <Tags><member><Key>kubernetes.io/cluster/drover</Key><Value/><PropagateAtLaunch>true</PropagateAtLaunch></member></Tags>
    <Instances><member><InstanceId>i-0123456789abcdef0</InstanceId><LifecycleState>Terminating:Wait</LifecycleState>
      <AvailabilityZone>eu-west-1a</AvailabilityZone><HealthStatus>Unhealthy</HealthStatus></member></Instances>
    <InstanceLifecyclePolicy><RetentionTriggers><TerminateHookAbandon>retain</TerminateHookAbandon></RetentionTriggers></InstanceLifecyclePolicy>
  </member></AutoScalingGroups><NextToken>more</NextToken></DescribeAutoScalingGroupsResult>
  <ResponseMetadata><RequestId>7c6e177f</RequestId></ResponseMetadata>
</DescribeAutoScalingGroupsResponse>`;

const instancesXml = `<?xml version="1.0" encoding="UTF-8"?>
<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>8f7724cf</requestId>
  <reservationSet><item><reservationId>r-1</reservationId><instancesSet><item>
    <instanceId>i-0123456789abcdef0</instanceId><instanceState><code>16</code><name>running</name></instanceState>
    <privateDnsName>ip-10-0-0-1.eu-west-1.compute.internal</privateDnsName><privateIpAddress>10.0.0.1</privateIpAddress>
    <placement><availabilityZone>eu-west-1a</availabilityZone></placement><launchTime>2026-11-21T07:00:00.000Z</launchTime>
    <instanceLifecycle>spot</instanceLifecycle><tagSet><item><key>Name</key><value>one</value></item></tagSet>
  </item></instancesSet></item></reservationSet></DescribeInstancesResponse>`;

describe('an answer', () => {
  it('of Auto Scaling says what the SDK reads in it', async () => {
    const { connection, sdk } = answering(groupsXml);
    const theirs = await new AutoScalingClient(sdk).send(new DescribeAutoScalingGroupsCommand({}));
    const ours = await autoScalingApi(connection).call('DescribeAutoScalingGroups', {});
    expect(theirs).toMatchObject(JSON.parse(JSON.stringify(ours)) as object);
    expect(ours.AutoScalingGroups[0]).toMatchObject({
      AutoScalingGroupName: 'workers & more',
      DesiredCapacity: 2,
      TargetGroupARNs: [],
      Tags: [{ Key: 'kubernetes.io/cluster/drover', Value: '' }],
    });
  });

  it('that lacks a list has an empty one', async () => {
    const { connection, sdk } = answering(
      '<DescribeLifecycleHooksResponse><DescribeLifecycleHooksResult/></DescribeLifecycleHooksResponse>',
    );
    const input = { AutoScalingGroupName: 'workers' };
    const theirs = await new AutoScalingClient(sdk).send(new DescribeLifecycleHooksCommand(input));
    expect(theirs.LifecycleHooks ?? []).toEqual([]);
    expect((await autoScalingApi(connection).call('DescribeLifecycleHooks', input)).LifecycleHooks).toEqual(
      [],
    );
  });

  it('of EC2 says what the SDK reads in it', async () => {
    const { connection, sdk } = answering(instancesXml);
    const theirs = await new EC2Client(sdk).send(new DescribeInstancesCommand({}));
    const ours = await ec2Api(connection).call('DescribeInstances', { InstanceId: ['i-0123456789abcdef0'] });
    const [one] = ours.reservationSet[0]?.instancesSet ?? [];
    const [same] = theirs.Reservations?.[0]?.Instances ?? [];
    expect(one).toEqual({
      instanceId: same?.InstanceId,
      instanceState: { name: same?.State?.Name },
      privateDnsName: same?.PrivateDnsName,
      privateIpAddress: same?.PrivateIpAddress,
      placement: { availabilityZone: same?.Placement?.AvailabilityZone },
      launchTime: same?.LaunchTime,
      instanceLifecycle: same?.InstanceLifecycle,
      tagSet: [{ key: 'Name', value: same?.Tags?.[0]?.Value }],
    });
  });

  it('of Parameter Store says what the SDK reads in it', async () => {
    const { connection, sdk } = answering(
      '{"Parameter":{"Name":"/a","Value":"secret","Version":3,"LastModifiedDate":1763708400.25,"Type":"SecureString"}}',
    );
    const theirs = await new SSMClient(sdk).send(new GetParameterCommand({ Name: '/a' }));
    const { Parameter } = await ssmApi(connection).call('GetParameter', { Name: '/a' });
    expect(theirs.Parameter).toMatchObject({ ...Parameter });
    expect(Parameter?.LastModifiedDate).toEqual(new Date(1763708400250));
  });
});

const ask = {
  autoscaling: (connection: AwsConnection) =>
    autoScalingApi(connection).call('DescribeAutoScalingGroups', {}),
  ec2: (connection: AwsConnection) => ec2Api(connection).call('DescribeInstances', { InstanceId: ['i-1'] }),
  sqs: (connection: AwsConnection) =>
    sqsApi(connection).call('SendMessageBatch', { QueueUrl: 'q', Entries: [] }),
  ssm: (connection: AwsConnection) => ssmApi(connection).call('GetParameter', { Name: '/a' }),
};

describe('a refusal', () => {
  const refused = [
    [
      'Query',
      'autoscaling',
      '<ErrorResponse xmlns="x"><Error><Type>Sender</Type><Code>ValidationError</Code><Message>no &quot;group&quot;</Message></Error></ErrorResponse>',
      { name: 'ValidationError', message: 'no "group"', statusCode: 400, requestId: 'b1946ac9' },
    ],
    [
      'EC2',
      'ec2',
      '<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>not you</Message></Error></Errors></Response>',
      { name: 'UnauthorizedOperation', message: 'not you' },
    ],
    [
      'JSON',
      'sqs',
      '{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"no such queue"}',
      { name: 'QueueDoesNotExist', message: 'no such queue' },
    ],
    [
      'JSON of old',
      'ssm',
      '{"__type":"AccessDeniedException","Message":"no"}',
      { name: 'AccessDeniedException', message: 'no' },
    ],
    [
      'a proxy, in XML',
      'autoscaling',
      '<html><body>Bad',
      { name: 'Http400', message: 'AWS answered 400 without a reason' },
    ],
    ['a proxy, in JSON', 'sqs', '<html>', { name: 'Http400' }],
  ] as const;

  it.each(refused)('of %s is an AwsError with its code and its words', async (_, service, body, expected) => {
    const error: unknown = await ask[service](answering(body, 400).connection).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AwsError);
    expect(error).toMatchObject(expected);
  });
});

describe('an answer of 200 that AWS cannot have given', () => {
  const secretive = '<html><body>Please log in, token s3cr3t</body></html>';
  const strange = [
    ['text for JSON', 'sqs', 'OK s3cr3t', /SendMessageBatch with 200 .* 9 characters .* JSON/],
    ['nothing for JSON', 'ssm', '', /GetParameter with 200 .* 0 characters .* JSON/],
    ['null for an object', 'ssm', 'null', /GetParameter with 200/],
    ['text for XML', 'autoscaling', 'OK s3cr3t', /DescribeAutoScalingGroups with 200 .* XML/],
    ['nothing for XML', 'ec2', '', /DescribeInstances with 200 .* 0 characters/],
    ['a page of a proxy', 'autoscaling', secretive, /DescribeAutoScalingGroups with 200/],
    ['a page of a proxy, to EC2', 'ec2', secretive, /DescribeInstances with 200/],
  ] as const;

  it.each(strange)('(%s) is said to be one, without what it held', async (_, service, body, words) => {
    const error: unknown = await ask[service](answering(body).connection).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnreadableAnswerError);
    expect(error).toMatchObject({ message: words, statusCode: 200, requestId: 'b1946ac9' });
    expect(inspect(error)).not.toContain('s3cr3t');
  });

  it('is none where nothing is read of it: some operations answer with an empty body', async () => {
    expect(await ssmApi(answering('').connection).call('DeleteParameter', { Name: '/a' })).toEqual({});
  });
});
