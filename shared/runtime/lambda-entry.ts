import wrap, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Host } from './host.ts';
import type { CreateHandler, LambdaContext, LambdaHandler } from './lambda.ts';
import { createLog } from './log.ts';
import { realHost } from './real-host.ts';

/** From the signal to the end of the invocation: for what has to be said and answered yet. */
const signalBeforeEndMilliseconds = 4000;

/**
 * What Lambda calls: the function on the real machine, made once, at the first invocation. A function that cannot be made
 * (its configuration is wrong) fails every invocation with that error, and is tried again by the next.
 */
export function onLambda<Event, Result>(
  create: CreateHandler<Event, Result>,
  host: Host = realHost,
): (event: Event, context: Context) => Promise<Result> {
  let made: LambdaHandler<Event, Result> | undefined;
  const invoke = async (
    event: Event,
    context: Context,
    { signal }: { signal: AbortSignal },
  ): Promise<Result> => {
    made ??= create(host);
    return await made(event, withSignal(context, signal));
  };
  const wrapped = wrap<Event, Result>(invoke, {
    timeoutEarlyInMillis: signalBeforeEndMilliseconds,
    timeoutEarlyResponse: waitForTheHandler,
  }).use(logFailure(host));
  // Two parameters, no more: Node 24 on Lambda takes a third for a callback, and refuses it.
  return (event, context) => wrapped(event, context);
}

/** middy tells the handler by its signal and would answer in its place; the handler's own answer is the better one. */
const waitForTheHandler = (): Promise<never> => new Promise(() => {});

const withSignal = (context: Context, signal: AbortSignal): LambdaContext => ({
  awsRequestId: context.awsRequestId,
  functionName: context.functionName,
  getRemainingTimeInMillis: () => context.getRemainingTimeInMillis(),
  signal,
});

/** One line for an invocation that fails; the error goes on to Lambda, which retries and counts it. */
const logFailure = (host: Host): MiddlewareObj => ({
  onError: ({ error, context }) => {
    const { awsRequestId, functionName } = context;
    createLog(host).error('the invocation failed', error, { awsRequestId, functionName });
  },
});
