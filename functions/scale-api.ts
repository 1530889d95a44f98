import type { HttpResult } from '../shared/http/http-call.ts';
import { composeScaleApi } from '../shared/runtime/compose-scale-api.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Groups, their instances and nodes, and their desired capacity, behind API Gateway. */
export const create: CreateHandler<unknown, HttpResult> = (host) => composeScaleApi(host);

export const handler = onLambda(create);
