import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { STS } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type WireSandbox } from '../../src/wire/open-sandbox.ts';

/** One call, and no other for as long as the test runs. */
const tight = { burst: 1, perSecond: 0.0001 };
const problems: unknown[] = [];
let sandbox: WireSandbox;

beforeAll(async () => {
  sandbox = await openSandbox({
    requestLimits: {
      autoScaling: { changes: tight, reads: tight },
      ec2: { reads: tight, unfilteredReads: tight, runInstances: tight, changes: tight },
      sts: tight,
      putEvents: tight,
      scheduler: tight,
      sqsFifo: tight,
      ssmReads: tight,
      iam: tight,
      loadBalancingReads: tight,
    },
    onFault: (problem) => problems.push(problem),
  });
});
afterAll(async () => {
  await sandbox.close();
  expect(problems).toEqual([]);
});

const settings = () => ({
  endpoint: sandbox.doors.aws.url,
  region: sandbox.region,
  credentials: { accessKeyId: sandbox.accessKeyId, secretAccessKey: sandbox.secretAccessKey },
  maxAttempts: 1,
});

const send = async (name: string, attributes: Readonly<Record<string, string>>) => {
  const sqs = new SQS(settings());
  const { QueueUrl } = await sqs.createQueue({ QueueName: name, Attributes: attributes });
  const message = { MessageBody: 'x', MessageGroupId: 'a', MessageDeduplicationId: 'b' };
  return () => sqs.sendMessage({ QueueUrl, ...message });
};

/** The error's name and status. */
const refusalOf = async (call: () => Promise<unknown>): Promise<string> => {
  const error: unknown = await call().catch((refusal: unknown) => refusal);
  const { name, $metadata } = error as { name: string; $metadata: { httpStatusCode?: number } };
  return `${name} ${$metadata.httpStatusCode}`;
};

describe('the buckets of AWS, over the wire', () => {
  it.each<readonly [string, string, () => Promise<unknown>]>([
    [
      'Auto Scaling',
      'Throttling 400',
      () => new AutoScaling(settings()).describeAutoScalingGroups({ MaxRecords: 1 }),
    ],
    ['EC2', 'RequestLimitExceeded 503', () => new EC2(settings()).describeInstances({})],
    ['STS', 'Throttling 400', () => new STS(settings()).getCallerIdentity({})],
    ['IAM', 'Throttling 400', () => new IAM(settings()).getOutboundWebIdentityFederationInfo({})],
    ['Scheduler', 'ThrottlingException 429', () => new Scheduler(settings()).listSchedules({})],
    [
      'EventBridge',
      'ThrottlingException 400',
      () =>
        new EventBridge(settings()).putEvents({ Entries: [{ Source: 'a', DetailType: 'b', Detail: '{}' }] }),
    ],
    [
      'Parameter Store',
      'ThrottlingException 400',
      () => new SSM(settings()).getParameters({ Names: ['/a'] }),
    ],
    [
      'Elastic Load Balancing',
      'ThrottlingException 400',
      () => new ElasticLoadBalancingV2(settings()).describeTargetGroups({}),
    ],
  ])('%s refuses the second call with its own error', async (_, expected, call) => {
    // Also where the first call is refused for another reason: it counts.
    await call().catch(() => {});
    expect(await refusalOf(call)).toBe(expected);
  });

  it('a FIFO queue refuses a second message, and not if it has high throughput', async () => {
    const plain = await send('plain.fifo', { FifoQueue: 'true' });
    await plain();
    expect(await refusalOf(plain)).toBe('RequestThrottled 403');
    const fast = await send('fast.fifo', {
      FifoQueue: 'true',
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    for (let count = 0; count < 3; count += 1) await fast();
  });

  it('counts the calls, and the refused ones', async () => {
    const sts = new STS(settings());
    await sts.getCallerIdentity({}).catch(() => {});
    const { calls = 0, refused = 0 } =
      sandbox.cloud.account.requests.counts().get('sts GetCallerIdentity') ?? {};
    expect(calls - refused).toBe(1);
    expect(refused).toBeGreaterThan(0);
  });
});
