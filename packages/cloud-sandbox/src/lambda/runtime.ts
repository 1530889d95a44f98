import type { FunctionWiring } from '../cloud/wiring.ts';
import { reportedError, runtimeError } from './reported-error.ts';

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
  /** The lines of the stack of what was thrown. */
  readonly trace: readonly string[];

  constructor(reported: {
    readonly errorType: string;
    readonly message: string;
    readonly trace: readonly string[];
    readonly cause?: unknown;
  }) {
    super(reported.message, { cause: reported.cause });
    this.errorType = reported.errorType;
    this.trace = reported.trace;
  }
}

/** Whatever a function threw, as Lambda would report it. */
export function toFunctionError(cause: unknown): FunctionError {
  if (cause instanceof FunctionError) return cause;
  const { errorType, errorMessage: message, trace } = reportedError(cause);
  return new FunctionError({ errorType, message, trace, cause });
}

/**
 * What a function's answer is on the way out: `undefined` becomes null, as in AWS's own runtime.
 *
 * @throws Runtime.JSONStringifyError; TypeError for what JSON leaves out, a function, in the words of that runtime.
 */
export function toJson(result: unknown): string {
  const json = stringified(result === undefined ? null : result);
  if (json === undefined) throw new TypeError('Wrong arguments');
  return json;
}

function stringified(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // AWS's runtime gives no reason.
    throw runtimeError('Runtime.JSONStringifyError', 'Unable to stringify response body');
  }
}
