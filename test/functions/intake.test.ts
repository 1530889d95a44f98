import { type AwsService, createSqs } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import {
  accountId,
  createTestFront,
  credentials,
  region,
} from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { describe, expect, it } from 'vitest';
import { type BatchName, readBatchSample, sampleText } from '../../events/index.ts';
import { create } from '../../functions/intake.ts';

const ours = 'i-0a1b2c3d4e5f60718';

/** The answers of Auto Scaling to intake: one managed group with one instance. */
const autoScaling: AwsService = {
  signingName: 'autoscaling',
  operations: {
    DescribeAutoScalingInstances: ({ InstanceIds = [] }: { InstanceIds?: readonly string[] }) => ({
      AutoScalingInstances: InstanceIds.filter((id) => id === ours).map((InstanceId) => ({
        InstanceId,
        AutoScalingGroupName: 'drover-workers',
        AvailabilityZone: 'eu-west-1b',
        LifecycleState: 'InService',
        HealthStatus: 'HEALTHY',
        ProtectedFromScaleIn: false,
      })),
    }),
    DescribeLifecycleHooks: () => ({
      LifecycleHooks: [
        {
          LifecycleHookName: 'drover-node-leaving',
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
          HeartbeatTimeout: 300,
        },
      ],
    }),
    DescribeAutoScalingGroups: () => ({
      AutoScalingGroups: [
        {
          AutoScalingGroupName: 'drover-workers',
          MinSize: 0,
          MaxSize: 9,
          DesiredCapacity: 3,
          DefaultCooldown: 300,
          AvailabilityZones: ['eu-west-1b'],
          HealthCheckType: 'EC2',
          CreatedTime: new Date(0),
          Instances: [],
          Tags: [
            { Key: 'kubernetes.io/cluster/drover', Value: 'owned' },
            { Key: 'drover.dev/role', Value: 'worker' },
          ],
        },
      ],
    }),
  },
};

/** Just after the times of the sample events: an event from the future would be malformed. */
const sampledAt = Date.parse('2026-11-20T09:14:10Z');

function createWorld() {
  const clock = createManualClock();
  clock.advance((sampledAt - clock.now()) / 1000);
  const sqs = createSqs({ clock, random: createRandom(1), accountId, region });
  for (const name of ['inbox', 'inbox-parked']) sqs.operations.CreateQueue({ QueueName: name });
  for (const name of ['leaving.fifo', 'joining.fifo', 'heartbeats.fifo'])
    sqs.operations.CreateQueue({ QueueName: name, Attributes: { FifoQueue: 'true' } });
  const calls: string[] = [];
  const { clientOptions } = createTestFront({
    services: [sqs, autoScaling],
    clock,
    onCall: ({ operation }) => void calls.push(operation),
  });
  const lines: Record<string, unknown>[] = [];
  const handler = create({
    environment: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      DROVER_CLUSTER: 'drover',
      DROVER_INBOX_QUEUE_URL: sqs.controls.queueUrl('inbox'),
      DROVER_INBOX_DEAD_LETTER_QUEUE_URL: sqs.controls.queueUrl('inbox-parked'),
      DROVER_LEAVING_QUEUE_URL: sqs.controls.queueUrl('leaving.fifo'),
      DROVER_HEARTBEATS_QUEUE_URL: sqs.controls.queueUrl('heartbeats.fifo'),
      DROVER_JOINING_QUEUE_URL: sqs.controls.queueUrl('joining.fifo'),
      DROVER_ETCD_QUEUE_URL: sqs.controls.queueUrl('leaving.fifo'),
    },
    clock,
    randomBytes: (size) => new Uint8Array(size),
    awsRequestHandler: clientOptions.requestHandler,
    sendHttp: () => Promise.reject(new Error('intake asks no API server')),
    writeLine: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const context = { awsRequestId: 'r', functionName: 'intake', getRemainingTimeInMillis: () => 20_000 };
  const invoke = (event: unknown) => handler(event, context);
  const sent = () => sqs.controls.peek('leaving.fifo').map(({ groupId }) => groupId);
  return { invoke, calls, lines, sent, parked: () => sqs.controls.peek('inbox-parked') };
}

describe('the function intake', () => {
  it('handles a mixed batch with two lookups and one send, protects its spot warning from a kill, and parks malformed records', async () => {
    const world = createWorld();
    expect(await world.invoke(readBatchSample('inbox-mixed'))).toEqual({ batchItemFailures: [] });
    expect(world.sent()).toEqual([ours, ours, ours]);
    expect(world.parked()).toHaveLength(1);
    expect(world.calls.toSorted()).toEqual([
      'ChangeMessageVisibilityBatch',
      'DescribeAutoScalingGroups',
      'DescribeAutoScalingInstances',
      'DescribeLifecycleHooks',
      'SendMessageBatch',
      'SendMessageBatch',
      'SendMessageBatch',
    ]);
    expect(world.lines).toContainEqual(
      expect.objectContaining({ message: 'intake', arrivals: 8, parked: 1, failed: 0 }),
    );
  });

  it.each(['inbox-terminate', 'topic-hook-terminate'] satisfies readonly BatchName[])(
    'accepts %s',
    async (name) => {
      const world = createWorld();
      await world.invoke(readBatchSample(name));
      expect(world.sent()).toEqual([ours]);
    },
  );

  it.each(['terminate-action', 'hook-terminate'] as const)(
    'accepts %s from a hook that targets it',
    async (name) => {
      const world = createWorld();
      await world.invoke(JSON.parse(sampleText(name)));
      expect(world.sent()).toEqual([ours]);
    },
  );

  it('refuses records of an unknown source', async () => {
    await expect(createWorld().invoke({ Records: [{ eventSource: 'aws:kinesis' }] })).rejects.toThrow(
      /not a batch of SQS/,
    );
  });
});
