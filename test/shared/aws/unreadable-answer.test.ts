import { describe, expect, it } from 'vitest';
import { createAutoScaling } from '../../../shared/aws/auto-scaling.ts';
import {
  autoScalingClient,
  ec2Client,
  loadBalancingClient,
  route53Client,
  sqsClient,
  ssmClient,
} from '../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../shared/aws/connection.ts';
import { createEc2 } from '../../../shared/aws/ec2.ts';
import { refusalOf } from '../../../shared/aws/errors.ts';
import { createHostedZone } from '../../../shared/aws/hosted-zone.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { s3Client } from '../../../shared/aws/s3-client.ts';
import { createSnapshotBucket } from '../../../shared/aws/snapshot-bucket.ts';
import { createSqsQueue } from '../../../shared/aws/sqs.ts';
import { createTargetHealth } from '../../../shared/aws/target-health.ts';
import { type Answer, autoScalingAnswer, awsOnLoopback } from '../../support/aws-on-loopback.ts';

const autoScaling = (connection: AwsConnection) =>
  createAutoScaling({
    client: autoScalingClient(connection),
    clusterName: 'prod',
  });
const action = { autoScalingGroupName: 'workers', lifecycleHookName: 'hook', instanceId: 'i-1' };

const reads: Readonly<Record<string, (connection: AwsConnection) => Promise<unknown>>> = {
  'the list of groups': (connection) => autoScaling(connection).listGroups(),
  'the hooks of a group': (connection) => autoScaling(connection).describeHooks('workers'),
  'an instance of a group': (connection) => autoScaling(connection).describeInstance('i-1'),
  'an instance of EC2': (connection) => createEc2(ec2Client(connection)).describeInstance('i-1'),
  'the health of targets': (connection) =>
    createTargetHealth(loadBalancingClient(connection)).draining({
      instanceId: 'i-1',
      targetGroupArns: ['arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/a/1'],
    }),
  'a parameter': (connection) => createParameterStore(ssmClient(connection)).read('/a'),
  'a hosted zone': (connection) =>
    createHostedZone({ client: route53Client(connection), zoneId: 'Z1' }).read('example.com'),
  'the list of snapshots': (connection) =>
    createSnapshotBucket({ client: s3Client(connection), bucket: 'snapshots' }).list('a/'),
};

const page = { headers: { 'content-type': 'text/html' }, body: '<html><body>welcome</body></html>' };
const json = { body: '{}' };
const empty = { headers: { 'content-type': 'text/plain' } };

/** A server that gives this answer to everything, as AWS does: with a request id. */
const answering = async (answer: Answer): Promise<AwsConnection> =>
  (await awsOnLoopback(() => answer)).connection();

describe.each(Object.entries(reads))('%s', (name, read) => {
  it.each([
    ['a page of HTML', page],
    ['an empty body', empty],
  ])('is an error if AWS answers 200 and %s, and never an empty list', async (_, answer) => {
    const told = name === 'a parameter' ? json : answer;
    await expect(read(await answering(told))).rejects.toMatchObject({
      name: expect.stringMatching(/^(?:UnreadableAnswerError|ZoneError)$/),
      message: expect.stringContaining('is there a proxy?'),
      $metadata: { httpStatusCode: 200, requestId: 'request-1' },
    });
  });
});

describe('a group', () => {
  it.each(['Instances', 'Tags'])('without its list of %s is an error', async (missing) => {
    const lists = ['Instances', 'Tags'].filter((name) => name !== missing).map((name) => `<${name}/>`);
    const group = `<AutoScalingGroupName>workers</AutoScalingGroupName>${lists.join('')}`;
    const answer = autoScalingAnswer(
      'DescribeAutoScalingGroups',
      `<AutoScalingGroups><member>${group}</member></AutoScalingGroups>`,
    );
    await expect(autoScaling(await answering(answer)).listGroups()).rejects.toThrow(
      `AWS answered 200 without ${missing}; is there a proxy?`,
    );
  });

  it('is missing if AWS lists none', async () => {
    const answer = autoScalingAnswer('DescribeAutoScalingGroups', '<AutoScalingGroups/>');
    expect(await autoScaling(await answering(answer)).listGroups()).toEqual([]);
  });
});

describe('a change', () => {
  it.each([
    [200, undefined],
    [502, 'unavailable'],
    [403, undefined],
  ] as const)('is an error if a page of HTML with %s has no AWS request id', async (status, refusal) => {
    const connection = await answering({ ...page, status });
    const { requestHandler } = connection;
    const proxied: AwsConnection = {
      ...connection,
      maxAttempts: 1,
      requestHandler: {
        handle: async (request, options) => {
          const { response } = await requestHandler.handle(request, options);
          const { 'x-amzn-requestid': _, ...headers } = response.headers;
          return { response: { ...response, headers } };
        },
      },
    };
    const error: unknown = await autoScaling(proxied)
      .recordHeartbeat(action)
      .catch((one: unknown) => one);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^127\\.0\\.0\\.1:\\d+ answered RecordLifecycleActionHeartbeat with ${status} \\(text/html\\), without a request id of AWS; is there a proxy\\?$`,
        ),
      ),
    });
    expect(refusalOf(error)).toBe(refusal);
  });
});

describe('a batch of messages', () => {
  it('has failed if the answer names none of its entries', async () => {
    const queue = createSqsQueue({ client: sqsClient(await answering(json)), queueUrl: 'https://sqs/1/a' });
    expect(await queue.send([{ body: 'one' }])).toMatchObject([{ index: 0 }]);
  });
});
