import type { LookSpan } from './facts/look-spans.ts';
import type { PassSpan } from './facts/pass-spans.ts';
import type { ActivityFact } from './fold/launches.ts';
import type { Covers, Refusals } from './report-of.ts';

/** What was read, or why it is not known. */
export type Source<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Passes by instance. */
export type Passes = ReadonlyMap<string, readonly PassSpan[]>;

/** What a report is made of. What could not be read is unknown, never nothing. Times are epoch milliseconds. */
export interface Observed {
  readonly since: number;
  readonly until: number;
  readonly leaving: Source<Passes>;
  readonly joining: Source<Passes>;
  readonly looks: Source<readonly LookSpan[]>;
  readonly refusals: Source<readonly Refusals[]>;
  readonly activities: Source<readonly ActivityFact[]>;
  /** The group of each instance that is in a group now. */
  readonly members: ReadonlyMap<string, string>;
  /** Groups whose members run only etcd: they have no Nodes. */
  readonly etcdGroups: ReadonlySet<string>;
  readonly covers: Covers;
}
