/** One message to be sent. `groupId` and `deduplicationId` where the queue is FIFO; attributes are strings. */
export interface OutgoingMessage {
  readonly body: string;
  readonly groupId?: string;
  readonly deduplicationId?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** One entry of a batch that failed, by its index, and why. */
export interface BatchFailure {
  readonly index: number;
  readonly error: Error;
}

/** Sends in as few calls as the queue takes (ten a call). Returns the failures; it does not throw. */
export type SendBatch = (messages: readonly OutgoingMessage[]) => Promise<readonly BatchFailure[]>;

export interface VisibilityChange {
  readonly receiptHandle: string;
  /** From now on; 0 to 43,200. */
  readonly seconds: number;
}

/** Sets how long received messages stay hidden, ten a call. Returns the failures; it does not throw. */
export type ChangeVisibilityBatch = (
  changes: readonly VisibilityChange[],
) => Promise<readonly BatchFailure[]>;

/** A queue of passes, as its handler needs it. */
export interface PassQueue {
  readonly changeVisibility: ChangeVisibilityBatch;
  /** To the queue itself: the fresh copy of a long-lived message. */
  readonly send: SendBatch;
  /** To its dead-letter queue: what can never be understood. */
  readonly park: SendBatch;
}
