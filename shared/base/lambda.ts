/** What a function sees of its invocation. */
export interface LambdaContext {
  readonly awsRequestId: string;
  readonly functionName: string;
  getRemainingTimeInMillis(): number;
  /** Aborted some seconds before the timeout: running work must end, and the handler must answer. */
  readonly signal?: AbortSignal;
}

export type LambdaHandler<Event = unknown, Result = unknown> = (
  event: Event,
  context: LambdaContext,
) => Promise<Result>;
