import type { SQSBatchResponse } from 'aws-lambda';
import { composeLeaving } from '../shared/runtime/compose-leaving.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Passes over leaving instances: drains their Nodes and completes their hooks. */
export const create: CreateHandler<unknown, SQSBatchResponse> = composeLeaving;

export const handler = onLambda(create);
