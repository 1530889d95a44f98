import { AwsError } from './api/aws-error.ts';

/** True where an error has one of these names (AWS's error codes). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes(error.name);
}

/** Those of every service, as the SDK has them for its retries. */
const throttles = [
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
];

/** AWS asks us to come back later: not a verdict on the request. */
export function isThrottled(error: unknown): boolean {
  return hasCode(error, ...throttles) || (error instanceof AwsError && error.statusCode === 429);
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

/**
 * "No active Lifecycle Action found with ...": nothing waits any more, by a completion of ours that was not heard of, by a
 * timeout or by a person. What we wanted has happened.
 */
export function isNoActiveLifecycleAction(error: unknown): boolean {
  return hasCode(error, 'ValidationError') && /no active lifecycle action/i.test((error as Error).message);
}

/** EC2 does not know the instance (any more), or not yet: it is eventually consistent. */
export function isInstanceNotFound(error: unknown): boolean {
  return hasCode(error, 'InvalidInstanceID.NotFound');
}
