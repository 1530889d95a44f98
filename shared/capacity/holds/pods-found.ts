import { type PodsRecord, verdictAbout } from '../pod-holds/pods-reading.ts';
import type { Hold } from './hold.ts';

/** What prewarm has found of the pods of one hold. */
export interface PodsFound {
  /** How many of them are not bound to a node. */
  readonly open: number;
  /** How many of the open pods have room on Ready nodes of the group. */
  readonly placed: number;
  /** How many of the open pods no further node of the group would take. */
  readonly withoutPlace: number;
  /** Epoch milliseconds of the read. */
  readonly readAt: number;
}

/** Undefined for a hold of nodes, and until prewarm has read the pods of the hold. Pure. */
export function podsFoundOf({ name, pods }: Hold, record: PodsRecord | undefined): PodsFound | undefined {
  const verdict = record && verdictAbout(record.holds, name);
  if (pods === undefined || verdict === undefined || record?.readAt === undefined) return undefined;
  const { open, placed, withoutPlace = 0 } = verdict;
  return { open, placed, withoutPlace, readAt: record.readAt };
}
