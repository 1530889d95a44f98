import type { SQSBatchResponse } from 'aws-lambda';
import { composePrewarm, type LookSummary } from '../shared/runtime/compose-prewarm.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Keeps as many nodes in each group as its holds ask for: a look every minute, and passes over the groups with something to do. */
export const create: CreateHandler<unknown, SQSBatchResponse | LookSummary> = composePrewarm;

export const handler = onLambda(create);
