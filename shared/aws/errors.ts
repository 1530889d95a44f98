import { isThrottlingError } from '@smithy/core/retry';
import { messageOf } from '../base/message-of.ts';
import { BusyError } from '../groups/auto-scaling.ts';

/** True where an error has one of these names (AWS's error codes). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes(error.name);
}

/** AWS asks us to come back later: not a verdict on the request. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && isThrottlingError(error as Parameters<typeof isThrottlingError>[0]);
}

/** The status of the answer that the SDK has made this error of; undefined: there was no answer. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return typeof status === 'object' && status !== null && 'httpStatusCode' in status
    ? Number(status.httpStatusCode)
    : undefined;
}

/** Auto Scaling says that it is busy with the same thing and will take the call later. */
export function isContended(error: unknown): boolean {
  return hasCode(
    error,
    'ResourceContention',
    'ResourceContentionFault',
    'ScalingActivityInProgress',
    'ScalingActivityInProgressFault',
  );
}

/** @throws BusyError instead of the error of the SDK, if Auto Scaling is busy. */
export async function unlessBusy(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (isContended(error)) throw new BusyError(messageOf(error), { cause: error });
    throw error;
  }
}

/**
 * "No active Lifecycle Action found with ...": the wait has ended, by a completion of ours whose answer was lost, by its timeout or by an
 * operator. What the call was for has happened.
 */
export function isNoActiveLifecycleAction(error: unknown): boolean {
  return hasCode(error, 'ValidationError') && /no active lifecycle action/i.test((error as Error).message);
}

/** EC2 does not know the instance (any more), or not yet: it is eventually consistent. */
export function isInstanceNotFound(error: unknown): boolean {
  return hasCode(error, 'InvalidInstanceID.NotFound');
}

/** Why AWS did not do what was asked, whatever was asked; undefined for a verdict on the request itself. */
export function refusalOf(error: unknown): 'throttled' | 'unavailable' | 'denied' | undefined {
  if (isThrottled(error)) return 'throttled';
  if (isUnavailable(error)) return 'unavailable';
  return hasCode(error, 'AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation')
    ? 'denied'
    : undefined;
}

/** The connection broke, no answer came in time, or the server failed. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status !== undefined) return status >= 500;
  return isNoAnswer(error);
}

/** No answer came, or none of HTTP. The codes are those of Node, or those of its parser of HTTP. */
export const isNoAnswer = (error: Error): boolean =>
  error.name === 'TimeoutError' || ('code' in error && /^(?:E|HPE_)[A-Z_]+$/.test(String(error.code)));

/** What the SDK reports about an answer. */
export interface AnswerMetadata {
  readonly requestId?: string | undefined;
  readonly httpStatusCode?: number | undefined;
}

/** An answer that lacks what AWS always sends. Something between AWS and Drover may have given it, such as a proxy. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly $metadata: AnswerMetadata;

  constructor(message: string, metadata: AnswerMetadata) {
    super(`${message}; is there a proxy?`);
    this.$metadata = metadata;
  }
}

/**
 * The SDK answers an empty body or a page of HTML with status 200 as a result without members. A missing list must not read as
 * an empty one: "no instances" makes Drover delete Nodes.
 *
 * @throws UnreadableAnswerError
 */
export function required<Value>(
  value: Value | undefined,
  { name, $metadata }: { readonly name: string; readonly $metadata: AnswerMetadata },
): Value {
  if (value !== undefined) return value;
  throw new UnreadableAnswerError(`AWS answered ${$metadata.httpStatusCode} without ${name}`, $metadata);
}
