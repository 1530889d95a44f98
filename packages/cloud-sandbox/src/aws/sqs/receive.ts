import type { Message, MessageSystemAttributeName, ReceiveMessageCommandInput } from '@aws-sdk/client-sqs';
import { AwsError } from '../service.ts';
import { receivableMessages } from './candidates.ts';
import { checkRange } from './errors.ts';
import { type StoredMessage, stateOf } from './message.ts';
import { attributesMd5, md5, selectAttributes } from './message-attributes.ts';
import { type Queue, secondsAttribute } from './queue.ts';
import { newReceiptHandle } from './receipt-handle.ts';
import { rememberAttempt, repeatAttempt } from './receive-attempt.ts';
import { moveToDeadLetters } from './redrive.ts';
import type { SqsWorld } from './world.ts';

const maximumInFlight = 120_000;

/** Throws InvalidParameterValue for numbers out of their range (ReceiveMessage). */
export function checkReceive(input: ReceiveMessageCommandInput): void {
  checkRange('MaxNumberOfMessages', input.MaxNumberOfMessages, [1, 10]);
  checkRange('WaitTimeSeconds', input.WaitTimeSeconds, [0, 20]);
  checkRange('VisibilityTimeout', input.VisibilityTimeout, [0, 43_200]);
}

/** Takes what can be taken now, and moves to the dead-letter queue what was received too often. */
export function receiveNow(world: SqsWorld, queue: Queue, input: ReceiveMessageCommandInput): Message[] {
  const now = world.clock.now();
  checkInFlight(queue, now);
  const timeoutSeconds = input.VisibilityTimeout ?? secondsAttribute(queue, 'VisibilityTimeout');
  const repeated = repeatAttempt(queue, input, now);
  const messages = repeated ?? takeMessages(world, queue, input.MaxNumberOfMessages ?? 1);
  for (const message of messages) {
    message.visibleAt = now + timeoutSeconds * 1000;
    if (repeated === undefined) markReceived(world, queue, message);
    world.announceLater(queue, message);
  }
  rememberAttempt(queue, input, { messages, now });
  return messages.map((message) => present(message, input));
}

function takeMessages(world: SqsWorld, queue: Queue, count: number): StoredMessage[] {
  const taken: StoredMessage[] = [];
  for (const message of receivableMessages(queue, world.clock.now())) {
    if (taken.length === count) break;
    if (message.receiveCount >= (queue.redrive?.maxReceiveCount ?? Number.POSITIVE_INFINITY)) {
      moveToDeadLetters(world, queue, message);
    } else taken.push(message);
  }
  return taken;
}

function markReceived(world: SqsWorld, queue: Queue, message: StoredMessage): void {
  const now = world.clock.now();
  message.receiveCount += 1;
  message.firstReceivedAt ??= now;
  message.lastReceivedAt = now;
  message.receiptHandle = newReceiptHandle(queue, message, world.random);
  const again =
    !queue.fifo && (world.duplicateChance ?? 0) > 0 && world.random.next() < (world.duplicateChance ?? 0);
  if (again) message.visibleAt = now;
}

/** Standard queues answer OverLimit; FIFO queues "return no error messages" and simply no more (ReceiveMessage). */
function checkInFlight(queue: Queue, now: number): void {
  if (queue.fifo || queue.messages.size < maximumInFlight) return;
  const inFlight = [...queue.messages.values()].filter((message) => stateOf(message, now) === 'in-flight');
  if (inFlight.length < maximumInFlight) return;
  throw new AwsError({ code: 'OverLimit', message: 'The maximum number of in flight messages is reached.' });
}

function present(message: StoredMessage, input: ReceiveMessageCommandInput): Message {
  const attributes = selectAttributes(message.attributes, input.MessageAttributeNames ?? []);
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: md5(message.body),
    Body: message.body,
    Attributes: systemAttributes(message, [
      ...(input.AttributeNames ?? []),
      ...(input.MessageSystemAttributeNames ?? []),
    ]),
    MD5OfMessageAttributes: attributesMd5(attributes),
    MessageAttributes: attributes,
  };
}

function systemAttributes(message: StoredMessage, wanted: readonly string[]): Message['Attributes'] {
  const all: Partial<Record<MessageSystemAttributeName, string | undefined>> = {
    SenderId: message.senderId,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    SequenceNumber: message.sequenceNumber,
    MessageDeduplicationId: message.deduplicationId,
    MessageGroupId: message.groupId,
    AWSTraceHeader: message.systemAttributes['AWSTraceHeader']?.StringValue,
    DeadLetterQueueSourceArn: message.deadLetterSourceArn,
  };
  const selected = Object.entries(all).filter(
    ([name, value]) => value !== undefined && (wanted.includes('All') || wanted.includes(name)),
  );
  return selected.length === 0 ? undefined : Object.fromEntries(selected);
}
