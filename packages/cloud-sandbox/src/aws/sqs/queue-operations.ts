import type * as Sqs from '@aws-sdk/client-sqs';
import { AwsError } from '../service.ts';
import { createQueue, setAttributes } from './create-queue.ts';
import { queueAttributes } from './describe-queue.ts';
import { queueDoesNotExist } from './errors.ts';
import { page } from './page.ts';
import { queueOf, removeMessage, type SqsWorld, urlOf } from './world.ts';

const purgeMilliseconds = 60_000;

/** The operations on queues themselves. */
export const createQueueOperations = (world: SqsWorld) => ({
  CreateQueue: (input: Sqs.CreateQueueCommandInput) => ({
    QueueUrl: urlOf(world, createQueue(world, input)),
  }),
  DeleteQueue: (input: Sqs.DeleteQueueCommandInput) => {
    const queue = queueOf(world, input.QueueUrl);
    for (const message of queue.messages.values()) message.timer?.cancel();
    world.queues.delete(queue.name);
    world.deletions.set(queue.name, world.clock.now());
  },
  GetQueueUrl: (input: Sqs.GetQueueUrlCommandInput) => {
    const queue = world.queues.get(input.QueueName ?? '');
    const owner = input.QueueOwnerAWSAccountId ?? world.accountId;
    if (queue === undefined || owner !== world.accountId) throw queueDoesNotExist();
    return { QueueUrl: urlOf(world, queue) };
  },
  ListQueues: (input: Sqs.ListQueuesCommandInput) => {
    const names = [...world.queues.values()].filter(({ name }) =>
      name.startsWith(input.QueueNamePrefix ?? ''),
    );
    const { items, nextToken } = page(names, input);
    return { QueueUrls: urls(world, items), NextToken: nextToken };
  },
  ListDeadLetterSourceQueues: (input: Sqs.ListDeadLetterSourceQueuesCommandInput) => {
    const { arn } = queueOf(world, input.QueueUrl);
    const sources = [...world.queues.values()].filter(({ redrive }) => redrive?.deadLetterTargetArn === arn);
    const { items, nextToken } = page(sources, input);
    return { queueUrls: urls(world, items) ?? [], NextToken: nextToken };
  },
  GetQueueAttributes: (input: Sqs.GetQueueAttributesCommandInput) => {
    const queue = queueOf(world, input.QueueUrl);
    return { Attributes: queueAttributes(queue, input.AttributeNames ?? [], world.clock.now()) };
  },
  SetQueueAttributes: (input: Sqs.SetQueueAttributesCommandInput) =>
    setAttributes(world, queueOf(world, input.QueueUrl), input.Attributes ?? {}),
  PurgeQueue: (input: Sqs.PurgeQueueCommandInput) => purge(world, input.QueueUrl),
  TagQueue: (input: Sqs.TagQueueCommandInput) => {
    const { tags } = queueOf(world, input.QueueUrl);
    for (const [key, value] of Object.entries(input.Tags ?? {})) tags.set(key, value);
  },
  UntagQueue: (input: Sqs.UntagQueueCommandInput) => {
    const { tags } = queueOf(world, input.QueueUrl);
    for (const key of input.TagKeys ?? []) tags.delete(key);
  },
  ListQueueTags: (input: Sqs.ListQueueTagsCommandInput) => ({
    Tags: Object.fromEntries(queueOf(world, input.QueueUrl).tags),
  }),
});

const urls = (world: SqsWorld, queues: readonly Parameters<typeof urlOf>[1][]): string[] | undefined =>
  queues.length === 0 ? undefined : queues.map((queue) => urlOf(world, queue));

/** "Only one PurgeQueue operation on a queue is allowed every 60 seconds." */
function purge(world: SqsWorld, url: string | undefined): void {
  const queue = queueOf(world, url);
  const now = world.clock.now();
  if (queue.purgedAt !== undefined && now < queue.purgedAt + purgeMilliseconds) {
    throw new AwsError({
      code: 'PurgeQueueInProgress',
      message: `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`,
      statusCode: 403,
    });
  }
  queue.purgedAt = now;
  for (const message of queue.messages.values()) removeMessage(queue, message);
}
