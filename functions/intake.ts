import type { SQSBatchResponse } from 'aws-lambda';
import { composeIntake } from '../shared/runtime/compose-intake.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Reads every event in the inbox, and sends each reason of each managed instance once to the queue of its passes. */
export const create: CreateHandler<unknown, SQSBatchResponse> = composeIntake;

export const handler = onLambda(create);
