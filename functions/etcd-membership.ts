import type { SQSBatchResponse } from 'aws-lambda';
import { composeEtcd } from '../shared/runtime/compose-etcd.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Passes over the zone of an etcd cluster: its records, its members and their hooks. */
export const create: CreateHandler<unknown, SQSBatchResponse> = composeEtcd;

export const handler = onLambda(create);
