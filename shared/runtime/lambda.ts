import type { Host } from './host.ts';

/** What a function sees of its invocation. */
export interface LambdaContext {
  readonly awsRequestId: string;
  readonly functionName: string;
  getRemainingTimeInMillis(): number;
  /** Aborted some seconds before the time is up: what runs has to end, and the handler to answer. */
  readonly signal?: AbortSignal;
}

export type LambdaHandler<Event = unknown, Result = unknown> = (
  event: Event,
  context: LambdaContext,
) => Promise<Result>;

/**
 * How every file in functions/ is made: `create` builds the handler for a host (the simulation calls it with its own),
 * `handler` is what Lambda calls.
 */
export type CreateHandler<Event = unknown, Result = unknown> = (host: Host) => LambdaHandler<Event, Result>;
