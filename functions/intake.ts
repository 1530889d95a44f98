import type { SQSBatchResponse } from 'aws-lambda';
import { composeIntake } from '../shared/runtime/compose-intake.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Whatever arrives in the inbox -> what it means -> each reason of each instance of ours once on the queue of leaving nodes. */
export const create: CreateHandler<unknown, SQSBatchResponse> = composeIntake;

export const handler = onLambda(create);
