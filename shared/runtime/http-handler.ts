import wrap, { type MiddlewareObj } from '@middy/core';
import type { Clock } from '../base/clock.ts';
import type { LambdaContext, LambdaHandler } from '../base/lambda.ts';
import type { Log } from '../base/log.ts';
import { type HttpCall, type HttpResult, readHttpCall } from '../scale-api/http-call.ts';
import { problemResult, toProblem } from '../scale-api/problem.ts';

export interface HttpHandlerOptions {
  readonly answer: (call: HttpCall) => Promise<HttpResult>;
  readonly log: Log;
  readonly clock: Clock;
  /** Whether only failures and refusals get a line; default false. */
  readonly isQuiet?: boolean;
}

/**
 * A Lambda behind an HTTP API: reads the request, answers every error with a problem document, and logs a line for each request.
 * Middy's error handler is not used: it has no problem+json, and hides other errors without logging them. Middy's timer before the
 * function's timeout is off, because the host provides the time.
 */
export function createHttpHandler({
  answer,
  log,
  clock,
  isQuiet = false,
}: HttpHandlerOptions): LambdaHandler<unknown, HttpResult> {
  const handler = wrap<HttpCall, HttpResult, Error, LambdaContext>({ timeoutEarlyInMillis: 0 })
    .use(writeAccessLine({ log, clock, isQuiet }))
    .use(answerProblems)
    .use(readCall)
    .handler((call) => answer(call));
  return (event, context) => handler(event as HttpCall, context);
}

interface Internal extends Record<string, unknown> {
  call?: HttpCall;
  startedAt?: number;
}

type Middleware = MiddlewareObj<unknown, HttpResult, Error, LambdaContext, Internal>;

/** Replaces the event with an HttpCall. */
const readCall: Middleware = {
  before: (request) => {
    const call = readHttpCall(request.event);
    request.internal.call = call;
    request.event = call;
  },
};

const answerProblems: Middleware = {
  onError: (request) => {
    request.response = problemResult(toProblem(request.error));
  },
};

/** Registered first: middy runs `after` and `onError` in reverse order, so the answer is complete when these run. */
const writeAccessLine = ({
  log,
  clock,
  isQuiet,
}: Required<Omit<HttpHandlerOptions, 'answer'>>): Middleware => {
  const fieldsOf = ({ internal, response, context }: Parameters<NonNullable<Middleware['after']>>[0]) => ({
    requestId: context.awsRequestId,
    method: internal.call?.method,
    path: internal.call?.path,
    caller: internal.call?.callerArn,
    status: response?.statusCode,
    milliseconds: clock.now() - (internal.startedAt ?? clock.now()),
  });
  return {
    before: ({ internal }) => {
      internal.startedAt = clock.now();
    },
    after: (request) => {
      if (!isQuiet) log.info('answered', fieldsOf(request));
    },
    onError: (request) => {
      if ((request.response?.statusCode ?? 500) >= 500) log.error('failed', request.error, fieldsOf(request));
      else log.info('refused', { ...fieldsOf(request), reason: request.error?.message });
    },
  };
};
