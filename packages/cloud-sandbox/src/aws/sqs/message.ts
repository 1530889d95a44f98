import type { MessageAttributeValue, MessageSystemAttributeValue } from '@aws-sdk/client-sqs';
import type { Timer } from '../../simulation/clock.ts';

/** A message as a queue keeps it. Times are milliseconds of the simulation's clock. */
export interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttributeValue>>;
  readonly systemAttributes: Readonly<Record<string, MessageSystemAttributeValue>>;
  readonly senderId: string;
  readonly sentAt: number;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  readonly sequenceNumber: string | undefined;
  readonly deadLetterSourceArn: string | undefined;
  /** When retention ends. */
  expiresAt: number;
  /** From then on it can be received: end of its delay, or of the visibility timeout of its last receive. */
  visibleAt: number;
  receiveCount: number;
  firstReceivedAt: number | undefined;
  lastReceivedAt: number | undefined;
  /** The handle of the last receive: the only one that deletes. */
  receiptHandle: string | undefined;
  timer: Timer | undefined;
}

export type MessageState = 'visible' | 'in-flight' | 'delayed';

/** The state of a message: in flight if it was received and its timeout runs, delayed if it was never received and waits. */
export function stateOf(message: StoredMessage, now: number): MessageState {
  if (message.visibleAt <= now) return 'visible';
  return message.lastReceivedAt === undefined ? 'delayed' : 'in-flight';
}
