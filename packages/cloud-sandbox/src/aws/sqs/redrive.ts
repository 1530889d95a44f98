import type { StoredMessage } from './message.ts';
import { type Queue, secondsAttribute } from './queue.ts';
import { nextSequenceNumber } from './send.ts';
import { nameOfArn, removeMessage, type SqsWorld } from './world.ts';

/**
 * Moves a message that was received maxReceiveCount times to the dead-letter queue. "For standard queues, the expiration
 * of a message is always based on its original enqueue timestamp ... For FIFO queues, the enqueue timestamp resets"
 * (SQS developer guide, dead-letter queues). Without a queue to go to it stays.
 */
export function moveToDeadLetters(world: SqsWorld, source: Queue, message: StoredMessage): void {
  const target = world.queues.get(nameOfArn(source.redrive?.deadLetterTargetArn ?? ''));
  if (target === undefined) return;
  removeMessage(source, message);
  const now = world.clock.now();
  const enqueuedAt = target.fifo ? now : message.sentAt;
  const moved: StoredMessage = {
    ...message,
    sequenceNumber: target.fifo ? nextSequenceNumber(target) : undefined,
    deadLetterSourceArn: source.arn,
    expiresAt: enqueuedAt + secondsAttribute(target, 'MessageRetentionPeriod') * 1000,
    visibleAt: now,
    lastReceivedAt: undefined,
    receiptHandle: undefined,
    timer: undefined,
  };
  target.messages.set(moved.messageId, moved);
  world.announceLater(target, moved);
  if (source.fifo) world.announce(source);
}
