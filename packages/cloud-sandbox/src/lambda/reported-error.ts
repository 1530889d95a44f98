/** The body of an invocation that failed: what Node's runtime makes of what a function threw. */
export interface ReportedError {
  readonly errorType: string;
  readonly errorMessage: string;
  /** The lines of its stack. What is not an error has none. */
  readonly trace: readonly string[];
}

/** As aws-lambda-ric 4 reports it: an error by its name, anything else by its type in JavaScript. */
export function reportedError(thrown: unknown): ReportedError {
  if (!(thrown instanceof Error))
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  const { name, message, stack = '' } = thrown;
  return { errorType: name, errorMessage: message, trace: stack === '' ? [] : stack.split('\n') };
}

/** What the runtime finds wrong by itself, by AWS's name for it: `Runtime.HandlerNotFound`. */
export const runtimeError = (name: `Runtime.${string}`, message: string): Error =>
  Object.assign(new Error(message), { name });
