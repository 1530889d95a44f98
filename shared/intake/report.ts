import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { Wait } from './wake-ups.ts';

/** Something that has arrived: `key` is the caller's name for it, `text` its content. */
export interface Arrival {
  readonly key: string;
  readonly text: string;
  /** When SQS or Lambda received it, in epoch milliseconds. */
  readonly receivedAt: number;
}

export interface LeftAlone {
  readonly what: string;
  readonly reason: string;
}

/** The result of a batch of arrivals. A failed arrival is tried again as a whole, which sends no message twice. */
export interface IntakeReport {
  readonly sent: readonly LeavingNotice[];
  /** The waits that were sent to the queues of etcd zones and of joining nodes. */
  readonly woken: readonly Wait[];
  readonly leftAlone: readonly LeftAlone[];
  readonly poison: readonly { readonly key: string; readonly reason: string }[];
  /** The keys of warnings that wait, because so many instances leave in a hurry already. */
  readonly postponed: readonly string[];
  readonly failed: ReadonlyMap<string, Error>;
}
