import type { Deliver } from '../aws/integration.ts';
import type { FunctionWiring } from '../cloud/wiring.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import { errorPayload, type InvocationOutcome, isSuccess } from './invocation.ts';
import type { Invoker } from './invoker.ts';

export interface AsynchronousOptions {
  readonly clock: SimulationClock;
  readonly invoker: Invoker;
  readonly deliver: Deliver;
  /** An on-failure destination did not take its record, which is lost, as on AWS. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
}

/** An event that Lambda has taken on, until it succeeds or is given up. */
interface Accepted {
  readonly wiring: FunctionWiring;
  readonly event: unknown;
  readonly acceptedAt: number;
  readonly requestId: string;
}

/** "It waits one minute before the second attempt, and two minutes between the second and the third" (developer guide). */
const retryDelaysMilliseconds = [60_000, 120_000];
/** Throttled events come back after a second, later and later, up to five minutes (developer guide). */
const throttledDelay = (tries: number): number => Math.min(300_000, 1000 * 2 ** tries);

/** How an invocation record calls it (developer guide, "Capturing records of asynchronous invocations"). */
type Condition = 'RetriesExhausted' | 'EventAgeExceeded' | 'RecursiveInvocation';

/** Takes events on for functions: tries again what failed, and hands what it gives up to the on-failure destination. */
export function createAsynchronousInvoker({ clock, invoker, deliver, onProblem }: AsynchronousOptions) {
  const giveUp = (
    accepted: Accepted,
    last: {
      readonly condition: Condition;
      readonly attempts: number;
      readonly outcome: InvocationOutcome;
    },
  ): void => {
    const { asynchronous, functionArn: sourceArn, roleArn } = accepted.wiring;
    if (asynchronous.onFailureArn)
      deliver(asynchronous.onFailureArn, JSON.stringify(recordOf(accepted, last, clock.now())), {
        sender: { service: 'lambda.amazonaws.com', sourceArn, roleArn },
      });
  };

  const attempt = async (
    accepted: Accepted,
    counts: { failures: number; throttles: number },
  ): Promise<void> => {
    const { asynchronous } = accepted.wiring;
    const outcome = await invoker.invoke(accepted.wiring, accepted.event);
    if (isSuccess(outcome)) return;
    const throttled = outcome.kind === 'throttled';
    const next = throttled
      ? { ...counts, throttles: counts.throttles + 1 }
      : { ...counts, failures: counts.failures + 1 };
    const attempts = next.failures;
    if (outcome.kind === 'loop-stopped')
      return giveUp(accepted, { condition: 'RecursiveInvocation', attempts, outcome });
    if (next.failures > asynchronous.maximumRetryAttempts)
      return giveUp(accepted, { condition: 'RetriesExhausted', attempts, outcome });
    const delay = throttled
      ? throttledDelay(counts.throttles)
      : (retryDelaysMilliseconds[counts.failures] ?? 0);
    const age = clock.now() + delay - accepted.acceptedAt;
    if (age > asynchronous.maximumEventAgeSeconds * 1000)
      return giveUp(accepted, { condition: 'EventAgeExceeded', attempts, outcome });
    clock.after(delay, () => void attempt(accepted, next).catch(onProblem));
  };

  return (wiring: FunctionWiring, event: unknown, requestId: string): void => {
    const accepted: Accepted = { wiring, event, requestId, acceptedAt: clock.now() };
    clock.after(0, () => void attempt(accepted, { failures: 0, throttles: 0 }).catch(onProblem));
  };
}

function recordOf(
  { wiring, event, requestId }: Accepted,
  last: { readonly condition: Condition; readonly attempts: number; readonly outcome: InvocationOutcome },
  now: number,
): object {
  const error = errorPayload(last.outcome);
  return {
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId,
      functionArn: `${wiring.functionArn}:$LATEST`,
      condition: last.condition,
      approximateInvokeCount: last.attempts,
    },
    requestPayload: event,
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...(error && { functionError: 'Unhandled' }),
    },
    responsePayload: error ?? null,
  };
}
