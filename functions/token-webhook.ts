import type { HttpResult } from '../shared/http/http-call.ts';
import { composeTokenWebhook } from '../shared/runtime/compose-token-webhook.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Answers the TokenReviews of API servers, behind an HTTP API of its own. */
export const create: CreateHandler<unknown, HttpResult> = (host) => composeTokenWebhook(host);

export const handler = onLambda(create);
