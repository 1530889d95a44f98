import type { FunctionWiring } from '../cloud/wiring.ts';
import type { Clock } from '../simulation/clock.ts';
import type { CreateHandler, FunctionHost, LambdaHandler } from './function-host.ts';
import { createLife, type UnawaitedWork } from './life.ts';
import { mortalHost } from './mortal-host.ts';
import {
  type ExecutionEnvironment,
  type FunctionRuntime,
  type RuntimeInvocation,
  toFunctionError,
  toJson,
} from './runtime.ts';

export interface InProcessRuntimeOptions {
  /** By their names in the wiring. */
  readonly functions: Readonly<Record<string, CreateHandler>>;
  /** The machine of one execution environment: its environment variables, credentials and connections. */
  readonly hostFor: (wiring: FunctionWiring) => FunctionHost;
  readonly clock: Clock;
  /** Asked after each answer, with the name in the wiring; absent: it goes on. */
  readonly unawaitedWork?: ((name: string) => UnawaitedWork) | undefined;
}

async function invokeHandler(
  handler: LambdaHandler,
  { payload, requestId, deadline }: RuntimeInvocation,
  { functionName, clock }: { readonly functionName: string; readonly clock: Clock },
): Promise<string> {
  const event: unknown = JSON.parse(payload);
  try {
    const result = await handler(event, {
      awsRequestId: requestId,
      functionName,
      getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
    });
    return toJson(result);
  } catch (error) {
    throw toFunctionError(error);
  }
}

/** Runs functions in this process, on the clock and through the connections of their host. */
export function createInProcessRuntime({
  functions,
  hostFor,
  clock,
  unawaitedWork,
}: InProcessRuntimeOptions): FunctionRuntime {
  return {
    start: async (wiring): Promise<ExecutionEnvironment> => {
      const create = functions[wiring.name];
      if (!create) throw new RangeError(`there is no function ${wiring.name} to run`);
      const life = createLife();
      const handler = create(mortalHost(hostFor(wiring), life));
      const freeze = (): void => {
        const work = unawaitedWork?.(wiring.name) ?? 'goes-on';
        if (work !== 'goes-on') life.freeze(work);
      };
      return {
        invoke: (invocation) => {
          life.wake(invocation.traceHeader);
          return invokeHandler(handler, invocation, { functionName: wiring.functionName, clock }).finally(
            freeze,
          );
        },
        kill: life.end,
        hasEnded: life.hasEnded,
      };
    },
  };
}
