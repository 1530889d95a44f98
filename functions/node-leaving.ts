import type { SQSBatchResponse } from 'aws-lambda';
import { composeLeaving } from '../shared/runtime/compose-leaving.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Passes over instances that leave: drains their nodes and lets them go. */
export const create: CreateHandler<unknown, SQSBatchResponse> = composeLeaving;

export const handler = onLambda(create);
