import type { RetentionPolicy } from './retention.ts';

/** What the function keeps, and `drover etcd snapshots --prune` unless its flags say otherwise. */
export const defaultRetention: RetentionPolicy = { keep: 48, days: 30 };
