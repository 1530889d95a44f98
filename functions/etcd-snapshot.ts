import { composeEtcdSnapshot, type SnapshotSummary } from '../shared/runtime/compose-etcd-snapshot.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Keeps a fresh snapshot of etcd in S3. No member is removed without one. */
export const create: CreateHandler<unknown, SnapshotSummary> = composeEtcdSnapshot;

export const handler = onLambda(create);
