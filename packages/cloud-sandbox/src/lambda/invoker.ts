import type { FunctionWiring } from '../cloud/wiring.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import { createConcurrency, usualConcurrency } from './concurrency.ts';
import { createEnvironments } from './environments.ts';
import type { InvocationOutcome, InvocationReport } from './invocation.ts';
import { extendLineage, hopsOf, maximumHops } from './lineage.ts';
import { createRunner, type Run } from './runner.ts';
import type { FunctionRuntime } from './runtime.ts';

export interface InvokerOptions {
  readonly clock: SimulationClock;
  readonly random: Random;
  readonly runtime: FunctionRuntime;
  /** Invocations at once in the account; 1,000 by default. */
  readonly accountConcurrency?: number;
  /** The functions of the account, whose reserved concurrency the others do not have. */
  readonly functions?: readonly FunctionWiring[];
  /**
   * How much faster simulated time passes than that of functions in threads of the machine; 1 by default. Their
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

/** What each invocation passes before its function: the concurrency of account and function, the stop of loops, and the report of each invocation. */
export function createInvoker({
  clock,
  random,
  runtime,
  accountConcurrency = usualConcurrency,
  functions = [],
  speed = 1,
  onInvocation,
}: InvokerOptions): Invoker {
  const environments = createEnvironments(runtime, clock);
  const run = createRunner({ environments, clock, speed });
  const concurrency = createConcurrency(accountConcurrency, functions);

  const attempt = async (
    wiring: FunctionWiring,
    event: unknown,
    call: { readonly requestId: string; readonly traceHeaders: readonly string[] },
  ): Promise<Run> => {
    const looping = hopsOf(call.traceHeaders, wiring.functionArn) >= maximumHops;
    if (looping && wiring.recursiveLoop === 'Terminate')
      return { outcome: { kind: 'loop-stopped' }, coldStart: false };
    if (!concurrency.enter(wiring)) return { outcome: { kind: 'throttled' }, coldStart: false };
    try {
      const traceHeader = extendLineage(call.traceHeaders, wiring.functionArn, random);
      return await run(wiring, event, { requestId: call.requestId, traceHeader });
    } finally {
      concurrency.leave(wiring);
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
    underWay: () => concurrency.underWay(),
    recycle: () => environments.recycle(),
  };
}
