import type { FunctionWiring } from '../cloud/wiring.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { Environments } from './environments.ts';
import type { InvocationOutcome } from './invocation.ts';
import { maximumResponseBytes, responseTooLarge, timeoutMessage } from './platform-errors.ts';
import { type ExecutionEnvironment, toFunctionError, toJson } from './runtime.ts';

/** How one invocation went in an execution environment. */
export interface Run {
  readonly outcome: InvocationOutcome;
  readonly coldStart: boolean;
}

export interface RunnerOptions {
  readonly environments: Environments;
  readonly clock: SimulationClock;
  /** Simulated seconds in one of the machine's: a function has as much of the machine's time as its timeout says. */
  readonly speed: number;
}

type Runner = (
  wiring: FunctionWiring,
  event: unknown,
  call: { readonly requestId: string; readonly traceHeader: string },
) => Promise<Run>;

/** Runs functions in execution environments that are kept, and in new ones if none is free. */
export function createRunner({ environments, clock, speed }: RunnerOptions): Runner {
  const millisecondsFor = ({ timeoutSeconds }: FunctionWiring): number => timeoutSeconds * 1000 * speed;

  /** Whichever comes first: the answer, or the end of the function's time, which kills it. */
  const withTimeout = (
    wiring: FunctionWiring,
    { environment, requestId }: { readonly environment: ExecutionEnvironment; readonly requestId: string },
    answer: Promise<InvocationOutcome>,
  ): Promise<InvocationOutcome> =>
    new Promise((settle) => {
      const timer = clock.after(millisecondsFor(wiring), () => {
        environment.kill();
        settle({ kind: 'timed-out', message: timeoutMessage(requestId, wiring.timeoutSeconds) });
      });
      void answer.then(settle).finally(() => timer.cancel());
    });

  return async (wiring, event, call) => {
    const kept = await environments.take(wiring).then(
      (taken) => taken,
      (error: unknown) => failed(error),
    );
    if ('kind' in kept) return { outcome: kept, coldStart: true };
    const { environment, coldStart } = kept;
    const deadline = clock.now() + millisecondsFor(wiring);
    const answer = environment.invoke({ ...call, payload: toJson(event), deadline }).then(succeeded, failed);
    const outcome = await withTimeout(wiring, { environment, requestId: call.requestId }, answer);
    if (!environment.hasEnded()) environments.giveBack(wiring, environment);
    return { outcome, coldStart };
  };
}

const succeeded = (json: string): InvocationOutcome =>
  Buffer.byteLength(json) > maximumResponseBytes
    ? failed(responseTooLarge())
    : { kind: 'succeeded', result: JSON.parse(json) };

function failed(error: unknown): InvocationOutcome {
  const { errorType, message, trace } = toFunctionError(error);
  return { kind: 'failed', errorType, message, trace };
}
