import type { FunctionWiring } from '../deployment/wiring.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import { createEnvironments } from './environments.ts';
import type { InvocationOutcome, InvocationReport } from './invocation.ts';
import { extendLineage, hopsOf, maximumHops } from './lineage.ts';
import { type ExecutionEnvironment, type FunctionRuntime, toFunctionError, toJson } from './runtime.ts';

export interface InvokerOptions {
  readonly clock: SimulationClock;
  readonly random: Random;
  readonly runtime: FunctionRuntime;
  /** Invocations at once in the account; 1,000 unless told otherwise. */
  readonly accountConcurrency?: number;
  /**
   * How much faster simulated time passes than that of functions in threads of the machine; 1 unless told otherwise. Their
   * timeouts are so much longer on the simulated clock, or a quick sandbox would kill functions that are not slow.
   */
  readonly speed?: number;
  readonly onInvocation?: (report: InvocationReport) => void;
}

export interface Invoker {
  /** Never rejects: whatever happens is an outcome. `traceHeaders`: of what led to this invocation. */
  invoke(
    wiring: FunctionWiring,
    event: unknown,
    traceHeaders?: readonly string[],
  ): Promise<InvocationOutcome>;
  /** Invocations under way. */
  underWay(): number;
  recycle(): void;
}

interface Attempt {
  readonly outcome: InvocationOutcome;
  readonly coldStart: boolean;
}

export function createInvoker({
  clock,
  random,
  runtime,
  accountConcurrency = 1000,
  speed = 1,
  onInvocation,
}: InvokerOptions): Invoker {
  const environments = createEnvironments(runtime, clock);
  let underWay = 0;

  /** Whichever comes first: the answer, or the end of the function's time, which kills it. */
  const withTimeout = (
    wiring: FunctionWiring,
    environment: ExecutionEnvironment,
    answer: Promise<InvocationOutcome>,
  ): Promise<InvocationOutcome> =>
    new Promise((settle) => {
      const timer = clock.after(wiring.timeoutSeconds * 1000 * speed, () => {
        environment.kill();
        const message = `Task timed out after ${wiring.timeoutSeconds.toFixed(2)} seconds`;
        settle({ kind: 'timed-out', message });
      });
      void answer.then(settle).finally(() => timer.cancel());
    });

  const run = async (
    wiring: FunctionWiring,
    event: unknown,
    call: { readonly requestId: string; readonly traceHeader: string },
  ): Promise<Attempt> => {
    const kept = await environments.take(wiring).then(
      (taken) => taken,
      (error: unknown) => failed(error),
    );
    if ('kind' in kept) return { outcome: kept, coldStart: true };
    const { environment, coldStart } = kept;
    const deadline = clock.now() + wiring.timeoutSeconds * 1000 * speed;
    const answer = environment
      .invoke({ ...call, payload: toJson(event), deadline })
      .then((json): InvocationOutcome => ({ kind: 'succeeded', result: JSON.parse(json) }), failed);
    const outcome = await withTimeout(wiring, environment, answer);
    if (!environment.hasEnded()) environments.giveBack(wiring, environment);
    return { outcome, coldStart };
  };

  const attempt = async (
    wiring: FunctionWiring,
    event: unknown,
    call: { readonly requestId: string; readonly traceHeaders: readonly string[] },
  ): Promise<Attempt> => {
    const looping = hopsOf(call.traceHeaders, wiring.functionArn) >= maximumHops;
    if (looping && wiring.recursiveLoop === 'Terminate')
      return { outcome: { kind: 'loop-stopped' }, coldStart: false };
    if (underWay >= accountConcurrency) return { outcome: { kind: 'throttled' }, coldStart: false };
    underWay += 1;
    try {
      const traceHeader = extendLineage(call.traceHeaders, wiring.functionArn, random);
      return await run(wiring, event, { requestId: call.requestId, traceHeader });
    } finally {
      underWay -= 1;
    }
  };

  return {
    invoke: async (wiring, event, traceHeaders = []) => {
      const requestId = random.uuid();
      const startedAt = clock.now();
      const { outcome, coldStart } = await attempt(wiring, event, { requestId, traceHeaders });
      onInvocation?.({
        functionName: wiring.functionName,
        requestId,
        startedAt,
        durationMilliseconds: clock.now() - startedAt,
        coldStart,
        outcome,
      });
      return outcome;
    },
    underWay: () => underWay,
    recycle: () => environments.recycle(),
  };
}

function failed(error: unknown): InvocationOutcome {
  const { errorType, message } = toFunctionError(error);
  return { kind: 'failed', errorType, message };
}
