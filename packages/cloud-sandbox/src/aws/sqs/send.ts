import { createHash } from 'node:crypto';
import type { SendMessageCommandInput, SendMessageCommandOutput } from '@aws-sdk/client-sqs';
import { AwsError } from '../service.ts';
import { checkRange, invalidParameter, invalidValue, missingParameter } from './errors.ts';
import type { StoredMessage } from './message.ts';
import { attributesBytes, attributesMd5, checkMessageAttributes, md5 } from './message-attributes.ts';
import { type Queue, secondsAttribute } from './queue.ts';
import type { SqsWorld } from './world.ts';

export type SendEntry = Omit<SendMessageCommandInput, 'QueueUrl'>;
export type SendAnswer = Omit<SendMessageCommandOutput, '$metadata'>;

const deduplicationMilliseconds = 5 * 60_000;
const idPattern = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;
/** `#x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF` (SendMessage). */
const allowedText = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

export const messageBytes = (entry: SendEntry): number =>
  Buffer.byteLength(entry.MessageBody ?? '') + attributesBytes(entry.MessageAttributes);

/** Puts one message into the queue, or answers as for the first where its deduplication id was seen within five minutes. */
export function sendMessage(world: SqsWorld, queue: Queue, entry: SendEntry, senderId: string): SendAnswer {
  checkEntry(queue, entry);
  const deduplicationId = deduplicationIdOf(queue, entry);
  const key = deduplicationKey(queue, entry, deduplicationId);
  const seen = queue.deduplications.get(key);
  if (queue.fifo && seen !== undefined) return answer(entry, seen);
  const message = newMessage({ world, queue, entry, senderId, deduplicationId });
  queue.messages.set(message.messageId, message);
  world.announceLater(queue, message);
  if (queue.fifo)
    queue.deduplications.set(key, { ...message, until: message.sentAt + deduplicationMilliseconds });
  return answer(entry, message);
}

const answer = (
  entry: SendEntry,
  { messageId, sequenceNumber }: Pick<StoredMessage, 'messageId' | 'sequenceNumber'>,
): SendAnswer => ({
  MessageId: messageId,
  SequenceNumber: sequenceNumber,
  MD5OfMessageBody: md5(entry.MessageBody ?? ''),
  MD5OfMessageAttributes: attributesMd5(entry.MessageAttributes),
  MD5OfMessageSystemAttributes: attributesMd5(entry.MessageSystemAttributes),
});

function checkEntry(queue: Queue, entry: SendEntry): void {
  if (entry.MessageBody === undefined || entry.MessageBody === '') throw missingParameter('MessageBody');
  if (!allowedText.test(entry.MessageBody)) {
    const message =
      'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xFFFD.';
    throw new AwsError({ code: 'InvalidMessageContents', message });
  }
  checkMessageAttributes(entry.MessageAttributes);
  const maximum = secondsAttribute(queue, 'MaximumMessageSize');
  if (messageBytes(entry) > maximum) {
    throw invalidParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${maximum} bytes.`,
    );
  }
  checkRange('DelaySeconds', entry.DelaySeconds, [0, 900]);
  checkIds(queue, entry);
}

const wrongQueueType = 'The request include parameter that is not valid for this queue type';

function checkIds(queue: Queue, entry: SendEntry): void {
  for (const name of ['MessageGroupId', 'MessageDeduplicationId'] as const) {
    const value = entry[name];
    if (value !== undefined && !idPattern.test(value)) {
      throw invalidValue(
        name,
        value,
        `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
      );
    }
  }
  if (queue.fifo && entry.MessageGroupId === undefined) throw missingParameter('MessageGroupId');
  if (queue.fifo && (entry.DelaySeconds ?? 0) > 0) {
    throw invalidValue('DelaySeconds', entry.DelaySeconds, `${wrongQueueType}.`);
  }
  if (!queue.fifo && entry.MessageDeduplicationId !== undefined) {
    throw invalidValue('MessageDeduplicationId', entry.MessageDeduplicationId, `${wrongQueueType}.`);
  }
}

/** The id given, else (content-based deduplication) the SHA-256 of the body, "but not the attributes of the message". */
function deduplicationIdOf(queue: Queue, entry: SendEntry): string | undefined {
  if (!queue.fifo || entry.MessageDeduplicationId !== undefined) return entry.MessageDeduplicationId;
  if (queue.attributes.get('ContentBasedDeduplication') === 'true') {
    return createHash('sha256')
      .update(entry.MessageBody ?? '')
      .digest('hex');
  }
  throw invalidParameter(
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );
}

const deduplicationKey = (queue: Queue, entry: SendEntry, id: string | undefined): string =>
  queue.attributes.get('DeduplicationScope') === 'messageGroup' ? `${entry.MessageGroupId}\n${id}` : `${id}`;

function newMessage(sending: {
  readonly world: SqsWorld;
  readonly queue: Queue;
  readonly entry: SendEntry;
  readonly senderId: string;
  readonly deduplicationId: string | undefined;
}): StoredMessage {
  const { world, queue, entry, senderId, deduplicationId } = sending;
  const now = world.clock.now();
  const delaySeconds = entry.DelaySeconds ?? secondsAttribute(queue, 'DelaySeconds');
  return {
    messageId: world.random.uuid(),
    body: entry.MessageBody ?? '',
    attributes: entry.MessageAttributes ?? {},
    systemAttributes: entry.MessageSystemAttributes ?? {},
    senderId,
    sentAt: now,
    groupId: entry.MessageGroupId,
    deduplicationId,
    sequenceNumber: queue.fifo ? nextSequenceNumber(queue) : undefined,
    deadLetterSourceArn: undefined,
    expiresAt: now + secondsAttribute(queue, 'MessageRetentionPeriod') * 1000,
    visibleAt: now + delaySeconds * 1000,
    receiveCount: 0,
    firstReceivedAt: undefined,
    lastReceivedAt: undefined,
    receiptHandle: undefined,
    timer: undefined,
  };
}

const firstSequenceNumber = 18_870_000_000_000_000_000n;

/** Twenty digits, growing in the order of sending (SendMessage, SequenceNumber). */
export function nextSequenceNumber(queue: Queue): string {
  queue.sequence += 256n;
  return String(firstSequenceNumber + queue.sequence);
}
