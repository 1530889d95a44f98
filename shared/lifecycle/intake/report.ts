import type { LeavingNotice } from '../notice.ts';
import type { EtcdWait } from './wake-etcd.ts';

/** Something that has arrived: `key` is the caller's name for it, `text` what it says. */
export interface Arrival {
  readonly key: string;
  readonly text: string;
}

export interface LeftAlone {
  readonly what: string;
  readonly reason: string;
}

/** What became of a batch of arrivals. What failed is to be tried again as a whole; that costs no second message. */
export interface IntakeReport {
  readonly sent: readonly LeavingNotice[];
  /** The waits for etcd that its zone was woken for. */
  readonly woken: readonly EtcdWait[];
  readonly leftAlone: readonly LeftAlone[];
  readonly poison: readonly { readonly key: string; readonly reason: string }[];
  readonly failed: ReadonlyMap<string, Error>;
}
