import type { FunctionWiring } from '../deployment/wiring.ts';

/** One call of a function, as its execution environment gets it. Times are milliseconds of the simulation. */
export interface RuntimeInvocation {
  readonly requestId: string;
  /** JSON: what the function sees is its own copy. */
  readonly payload: string;
  readonly deadline: number;
  /** What the function's AWS calls carry as X-Amzn-Trace-Id, so that a loop can be seen. */
  readonly traceHeader: string;
}

/** A started function: it takes one invocation at a time, as on Lambda, and keeps what it holds in memory in between. */
export interface ExecutionEnvironment {
  /** The function's answer as JSON. Rejects with a FunctionError when the function fails. */
  invoke(invocation: RuntimeInvocation): Promise<string>;
  /** Ends it at once, in the middle of whatever it does. */
  kill(): void;
  /** Killed, or its process has ended by itself: it takes no more invocations. */
  hasEnded(): boolean;
}

/** Starts functions: in process, or as packaged bundles in threads. Rejects with a FunctionError when the module fails. */
export interface FunctionRuntime {
  start(wiring: FunctionWiring): Promise<ExecutionEnvironment>;
}

/** The function failed by itself: what Lambda reports as FunctionError "Unhandled". */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  readonly errorType: string;

  constructor({ errorType, message, cause }: { errorType: string; message: string; cause?: unknown }) {
    super(message, { cause });
    this.errorType = errorType;
  }
}

/** Whatever a function threw, as Lambda would report it. */
export function toFunctionError(cause: unknown): FunctionError {
  if (cause instanceof FunctionError) return cause;
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return new FunctionError({ errorType: error.name, message: error.message, cause });
}

/** What a function's answer is on the way out: `undefined` becomes null, as in AWS's own runtime. */
export const toJson = (result: unknown): string => JSON.stringify(result) ?? 'null';
