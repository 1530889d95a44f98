const globalMaximumSeconds = 48 * 3600;

/**
 * How long a wait can last, whatever the heartbeats: 48 hours or 100 times the heartbeat timeout, whichever is smaller.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LifecycleHook.html
 */
export const globalTimeoutSeconds = (heartbeatTimeoutSeconds: number): number =>
  Math.min(globalMaximumSeconds, 100 * heartbeatTimeoutSeconds);

/** When a wait ends that is (re)started now: a heartbeat later, never past the global deadline. */
export function expiryAfterHeartbeat(wait: {
  readonly now: number;
  readonly heartbeatTimeoutSeconds: number;
  readonly globalDeadline: number;
}): number {
  return Math.min(wait.now + wait.heartbeatTimeoutSeconds * 1000, wait.globalDeadline);
}
