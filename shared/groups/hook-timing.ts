import type { LifecycleHook } from './group.ts';

/** The longest wait, however many heartbeats are sent (EC2 Auto Scaling user guide, "How lifecycle hooks work"). */
export const longestGlobalTimeoutSeconds = 48 * 3600;

/** The longest that heartbeats can keep an instance waiting: 100 heartbeat timeouts or 48 hours, whichever is less. */
export const globalTimeoutSecondsOf = (heartbeatTimeoutSeconds: number): number =>
  Math.min(longestGlobalTimeoutSeconds, 100 * heartbeatTimeoutSeconds);

/** The shortest timeout that AWS allows (API reference, PutLifecycleHook). */
export const shortestHeartbeatTimeoutSeconds = 30;

/** The longest timeout that AWS allows (API reference, PutLifecycleHook). */
export const longestHeartbeatTimeoutSeconds = 7200;

/** A pass renews the mark of a Node as often as a heartbeat is sent, so this interval has a bound however long the timeout is. */
const longestBetweenHeartbeatsSeconds = 900;

/** The time between two heartbeats: a third of the timeout, so that two may fail before the wait is lost. */
export const heartbeatIntervalSeconds = (heartbeatTimeoutSeconds: number): number =>
  Math.min(longestBetweenHeartbeatsSeconds, heartbeatTimeoutSeconds / 3);

/** The deadlines of a leaving instance, in epoch milliseconds. */
export interface LeavingDeadlines {
  /** The end of the drain timeout: the pods that are left are then deleted. Never later than `limit`. */
  readonly deadline: number;
  /** When the global timeout of the hook or EC2 ends the wait, less a margin. Infinity if neither does. */
  readonly limit: number;
}

/** Kept before the global timeout, so that the pass completes the hook before the timeout does. */
const hookMarginSeconds = 30;
/** Kept of the two minutes of a spot warning, for the last pass and the calls after it. */
const noticeMarginSeconds = 10;

/**
 * The deadline is the earliest of the drain timeout, the global timeout of the hook and the deadline of the notice. The global timeout
 * starts when the instance begins to wait, which may be long after the notice with which the drain began.
 */
export function leavingDeadlines(input: {
  /** When the Node was marked. */
  readonly since: number;
  readonly drainTimeoutSeconds: number;
  /** The wait on our hook, and when it began. */
  readonly wait?: (Pick<LifecycleHook, 'globalTimeoutSeconds'> & { readonly since: number }) | undefined;
  /** Absent or Infinity if EC2 has set no time. */
  readonly noticeDeadline?: number | undefined;
}): LeavingDeadlines {
  const { since, drainTimeoutSeconds, wait, noticeDeadline = Infinity } = input;
  const limit = Math.min(wait ? hookLimit(wait) : Infinity, noticeDeadline - noticeMarginSeconds * 1000);
  return { limit, deadline: Math.min(limit, since + drainTimeoutSeconds * 1000) };
}

/** When the global timeout of the hook ends a wait, less a margin, in epoch milliseconds. */
export const hookLimit = ({
  since,
  globalTimeoutSeconds,
}: Pick<LifecycleHook, 'globalTimeoutSeconds'> & { readonly since: number }): number =>
  since + Math.max(1, globalTimeoutSeconds - hookMarginSeconds) * 1000;
