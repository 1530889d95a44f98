import { AwsError } from '../service.ts';
import { attributeRules } from './attribute-rules.ts';
import { type MessageState, stateOf } from './message.ts';
import type { Queue } from './queue.ts';

const countOf = (queue: Queue, state: MessageState, now: number): string =>
  String([...queue.messages.values()].filter((message) => stateOf(message, now) === state).length);

const seconds = (milliseconds: number): string => String(Math.floor(milliseconds / 1000));

const computed: Readonly<Record<string, (queue: Queue, now: number) => string>> = {
  QueueArn: (queue) => queue.arn,
  ApproximateNumberOfMessages: (queue, now) => countOf(queue, 'visible', now),
  ApproximateNumberOfMessagesNotVisible: (queue, now) => countOf(queue, 'in-flight', now),
  ApproximateNumberOfMessagesDelayed: (queue, now) => countOf(queue, 'delayed', now),
  CreatedTimestamp: (queue) => seconds(queue.createdAt),
  LastModifiedTimestamp: (queue) => seconds(queue.lastModifiedAt),
};

/** GetQueueAttributes. Throws InvalidAttributeName for a name that SQS does not know. */
export function queueAttributes(
  queue: Queue,
  wanted: readonly string[],
  now: number,
): Record<string, string> | undefined {
  const unknown = wanted.find(
    (name) => name !== 'All' && !Object.hasOwn(computed, name) && !Object.hasOwn(attributeRules, name),
  );
  if (unknown !== undefined) {
    throw new AwsError({ code: 'InvalidAttributeName', message: `Unknown Attribute ${unknown}.` });
  }
  const all = new Map([
    ...queue.attributes,
    ...Object.entries(computed).map(([name, value]) => [name, value(queue, now)] as const),
  ]);
  const selected = [...all].filter(([name]) => wanted.includes('All') || wanted.includes(name));
  return selected.length === 0 ? undefined : Object.fromEntries(selected);
}
