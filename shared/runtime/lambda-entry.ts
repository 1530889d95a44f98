import wrap, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { LambdaContext, LambdaHandler } from '../base/lambda.ts';
import { createLog, ownSecrets } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { redactError } from '../base/redact.ts';
import type { CreateHandler, FunctionHost, Host } from './host.ts';
import { realHost } from './real-host.ts';
import { withTracing } from './with-tracing.ts';

/** The time from the signal to the end of the invocation, in which the handler logs and answers. */
export const signalBeforeEndMilliseconds = 4000;

/**
 * The handler that Lambda calls. It creates the function once, at the first invocation. If that fails, because the configuration is
 * wrong, the invocation fails with the error, and the next one tries again.
 */
export function onLambda<Event, Result>(
  create: CreateHandler<Event, Result>,
  host: FunctionHost = realHost,
): (event: Event, context: Context) => Promise<Result> {
  let made: LambdaHandler<Event, Result> | undefined;
  let traced: FunctionHost | undefined;
  const invoke = async (
    event: Event,
    context: Context,
    { signal }: { signal: AbortSignal },
  ): Promise<Result> => {
    traced ??= countingThrottles(withTracing(host));
    // A handler that does not answer within the rest of the time is killed, and no code runs then.
    const { trace } = traced;
    if (trace) signal.addEventListener('abort', () => trace.showOpenCalls());
    try {
      made ??= create(traced);
      return await made(event, withSignal(context, signal));
    } finally {
      trace?.showOpenCalls();
    }
  };
  const wrapped = wrap<Event, Result>(invoke, {
    timeoutEarlyInMillis: signalBeforeEndMilliseconds,
    timeoutEarlyResponse: waitForTheHandler,
  }).use(logFailure(() => traced ?? host));
  // At most two parameters: Node 24 on Lambda treats a third as a callback, and refuses it.
  return (event, context) => wrapped(event, context);
}

/** The same host, which writes a metric for each call that AWS refuses for its rate. */
function countingThrottles(host: FunctionHost): FunctionHost {
  const metrics = createMetrics(host, host.environment['DROVER_CLUSTER'] ?? '');
  return {
    ...host,
    onThrottled: ({ service, operation }) =>
      metrics.put({ CallsThrottled: 1 }, { Service: service, Operation: operation }),
  };
}

/** After aborting the signal, middy would answer itself. This waits for the handler's own answer instead. */
const waitForTheHandler = (): Promise<never> => new Promise(() => {});

const withSignal = (context: Context, signal: AbortSignal): LambdaContext => ({
  awsRequestId: context.awsRequestId,
  functionName: context.functionName,
  getRemainingTimeInMillis: () => context.getRemainingTimeInMillis(),
  signal,
});

/**
 * One line for an invocation that fails. The error goes on to Lambda, which retries and counts it, and prints it as it is: so it goes
 * without secrets and causes.
 */
const logFailure = (hostOf: () => Host): MiddlewareObj => ({
  onError: (request) => {
    const host = hostOf();
    const { awsRequestId, functionName } = request.context;
    createLog(host).error('the invocation failed', request.error, { awsRequestId, functionName });
    request.error = redactError(request.error, ownSecrets(host));
  },
});
