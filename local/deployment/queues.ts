import type { QueueWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { readResources, type Stack } from './stack.ts';

const count = z.union([z.number(), z.boolean()]);

const queueReader = {
  type: 'AWS::SQS::Queue',
  schema: z.strictObject({
    QueueName: z.optional(z.string()),
    FifoQueue: z.optional(z.boolean()),
    ContentBasedDeduplication: z.optional(count),
    DeduplicationScope: z.optional(z.string()),
    FifoThroughputLimit: z.optional(z.string()),
    DelaySeconds: z.optional(count),
    MaximumMessageSize: z.optional(count),
    MessageRetentionPeriod: z.optional(count),
    ReceiveMessageWaitTimeSeconds: z.optional(count),
    VisibilityTimeout: z.optional(count),
    SqsManagedSseEnabled: z.optional(count),
    RedriveAllowPolicy: z.optional(z.strictObject({ redrivePermission: z.literal('denyAll') })),
    RedrivePolicy: z.optional(
      z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() }),
    ),
  }),
  ignoredProperties: { Tags: 'words for people' },
};

const policyReader = {
  type: 'AWS::SQS::QueuePolicy',
  schema: z.strictObject({ Queues: z.array(z.string()), PolicyDocument: z.looseObject({}) }),
};

type Properties = z.output<typeof queueReader.schema>;

/** SQS takes texts only, and no FifoQueue that is false. */
function attributesOf(properties: Properties): Record<string, string> {
  const entries = Object.entries(properties).flatMap(([name, value]): [string, string][] => {
    if (name === 'QueueName' || value === undefined || (name === 'FifoQueue' && value === false)) return [];
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
  return Object.fromEntries(entries);
}

/** Dead-letter queues first: SQS refuses a redrive policy that names a queue that is not there yet. */
function deadLetterQueuesFirst(queues: readonly QueueWiring[]): readonly QueueWiring[] {
  const targets = new Set(queues.map(({ deadLetterQueueArn }) => deadLetterQueueArn));
  return [
    ...queues.filter(({ queueArn }) => targets.has(queueArn)),
    ...queues.filter(({ queueArn }) => !targets.has(queueArn)),
  ];
}

/** The queues with their policies. */
export function readQueues(stack: Stack): readonly QueueWiring[] {
  const policies = new Map(
    readResources(stack, policyReader).flatMap(({ properties }) =>
      properties.Queues.map((queueUrl) => [queueUrl, JSON.stringify(properties.PolicyDocument)] as const),
    ),
  );
  const queues = readResources(stack, queueReader).map(({ logicalId, properties }): QueueWiring => {
    const where = `Resources.${logicalId}`;
    const queueUrl = String(stack.references.ref(logicalId, where));
    const policy = policies.get(queueUrl);
    return {
      queueName: stack.references.getAttribute(logicalId, 'QueueName', where),
      queueUrl,
      queueArn: stack.references.getAttribute(logicalId, 'Arn', where),
      attributes: { ...attributesOf(properties), ...(policy !== undefined && { Policy: policy }) },
      deadLetterQueueArn: properties.RedrivePolicy?.deadLetterTargetArn,
    };
  });
  return deadLetterQueuesFirst(queues);
}
