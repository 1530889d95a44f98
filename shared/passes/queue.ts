import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';

/** A message to send. A FIFO queue needs `groupId` and `deduplicationId`. */
export interface OutgoingMessage {
  readonly body: string;
  readonly groupId?: string;
  readonly deduplicationId?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Why one entry of a batch failed, by its index. */
export interface BatchFailure {
  readonly index: number;
  readonly error: Error;
}

/** Sends the messages, ten in each call. Returns the failures and never throws. */
export type SendBatch = (messages: readonly OutgoingMessage[]) => Promise<readonly BatchFailure[]>;

export interface VisibilityChange {
  readonly receiptHandle: string;
  /** Counted from now; 0 to 43,200. */
  readonly seconds: number;
}

/** Sets how long received messages stay hidden, ten in each call. Returns the failures and never throws. */
export type ChangeVisibilityBatch = (
  changes: readonly VisibilityChange[],
) => Promise<readonly BatchFailure[]>;

/** A queue of passes, as its handler uses it. */
interface PassQueue {
  readonly changeVisibility: ChangeVisibilityBatch;
  /** Sends fresh copies of long-lived messages to the queue itself. */
  readonly send: SendBatch;
  /** Sends what can never be understood to the dead-letter queue. */
  readonly park: SendBatch;
}

/** What a queue handler uses. */
export interface QueueContext {
  readonly host: { readonly clock: Clock; readonly randomBytes: (size: number) => Uint8Array };
  readonly queue: PassQueue;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A random number from 0 to 1. */
export const chance = ({ randomBytes: bytes }: QueueContext['host']): number => (bytes(1)[0] ?? 0) / 255;
