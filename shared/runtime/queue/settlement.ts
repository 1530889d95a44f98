import type { QueueRecord } from './record.ts';

/** What becomes of one message: let go (Lambda deletes it), or kept and hidden for so long. */
export type Settlement =
  | { readonly record: QueueRecord; readonly keep: false }
  | { readonly record: QueueRecord; readonly keep: true; readonly seconds: number };

export const letGo = (record: QueueRecord): Settlement => ({ record, keep: false });

export const keep = (record: QueueRecord, seconds: number): Settlement => ({ record, keep: true, seconds });
