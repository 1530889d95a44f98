/** What became of an invocation. */
export type InvocationOutcome =
  | { readonly kind: 'succeeded'; readonly result: unknown }
  /** The function threw, ended its process or did not start. */
  | {
      readonly kind: 'failed';
      readonly errorType: string;
      readonly message: string;
      readonly trace: readonly string[];
    }
  | { readonly kind: 'timed-out'; readonly message: string }
  /** The account's concurrency is used up: the function was not called. */
  | { readonly kind: 'throttled' }
  /** The seventeenth round of a loop: the function was not called. */
  | { readonly kind: 'loop-stopped' };

/** An invocation as the platform reports it: for metrics, the terminal and the dashboard. */
export interface InvocationReport {
  readonly functionName: string;
  readonly requestId: string;
  readonly startedAt: number;
  readonly durationMilliseconds: number;
  readonly coldStart: boolean;
  readonly outcome: InvocationOutcome;
}

export const isSuccess = (
  outcome: InvocationOutcome,
): outcome is Extract<InvocationOutcome, { kind: 'succeeded' }> => outcome.kind === 'succeeded';

/** The payload for the caller of a failed function; undefined if it did not fail, or did not run. */
export function errorPayload(outcome: InvocationOutcome) {
  if (outcome.kind === 'timed-out') return { errorType: 'Sandbox.Timedout', errorMessage: outcome.message };
  if (outcome.kind !== 'failed') return undefined;
  const { errorType, message: errorMessage, trace } = outcome;
  return { errorType, errorMessage, ...(trace.length > 0 && { trace }) };
}
