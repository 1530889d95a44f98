import type { StoredMessage } from './message.ts';
import type { RedrivePolicy } from './redrive-policy.ts';

/** Where a deduplication id was seen, until when it counts, and what the first send was answered. */
interface Deduplication {
  readonly until: number;
  readonly messageId: string;
  readonly sequenceNumber: string | undefined;
}

/** A FIFO receive that may be repeated with the same ReceiveRequestAttemptId. */
interface ReceiveAttempt {
  readonly until: number;
  readonly handles: readonly string[];
}

/** One queue. `messages` is in the order of sending. Times are milliseconds of the simulation's clock. */
export interface Queue {
  readonly name: string;
  readonly arn: string;
  readonly fifo: boolean;
  readonly createdAt: number;
  lastModifiedAt: number;
  readonly attributes: Map<string, string>;
  readonly tags: Map<string, string>;
  redrive: RedrivePolicy | undefined;
  readonly messages: Map<string, StoredMessage>;
  readonly deduplications: Map<string, Deduplication>;
  readonly attempts: Map<string, ReceiveAttempt>;
  purgedAt: number | undefined;
  /** Grows with every message of a FIFO queue. */
  sequence: bigint;
}

export const secondsAttribute = (queue: Queue, name: string): number =>
  Number(queue.attributes.get(name) ?? 0);
