import type { SQSBatchResponse } from 'aws-lambda';
import { composeJoining } from '../shared/runtime/compose-joining.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Passes over launching instances: decides their certificate requests and completes their hooks when their Nodes are Ready. */
export const create: CreateHandler<unknown, SQSBatchResponse> = composeJoining;

export const handler = onLambda(create);
