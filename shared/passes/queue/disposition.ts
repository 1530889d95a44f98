import type { QueueRecord } from './record.ts';

/** What happens to one message: Lambda deletes it, or it is kept and hidden for some seconds. */
export type Disposition =
  | { readonly record: QueueRecord; readonly keep: false }
  | { readonly record: QueueRecord; readonly keep: true; readonly seconds: number };

export const acknowledge = (record: QueueRecord): Disposition => ({ record, keep: false });

export const keep = (record: QueueRecord, seconds: number): Disposition => ({ record, keep: true, seconds });
