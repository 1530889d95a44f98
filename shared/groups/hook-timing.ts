import type { LifecycleHook } from './group.ts';

/** No wait lasts longer, whatever the heartbeats (EC2 Auto Scaling user guide, "How lifecycle hooks work"). */
export const longestGlobalTimeoutSeconds = 48 * 3600;

/** The longest that heartbeats can keep an instance waiting: 100 heartbeat timeouts or 48 hours, whichever is less. */
export const globalTimeoutSecondsOf = (heartbeatTimeoutSeconds: number): number =>
  Math.min(longestGlobalTimeoutSeconds, 100 * heartbeatTimeoutSeconds);

/** The shortest timeout that AWS takes (API reference, PutLifecycleHook). */
export const shortestHeartbeatTimeoutSeconds = 30;

/** Epoch milliseconds by which a leaving instance must be ready. */
export interface LeavingDeadlines {
  /** The operator's: from here on the pods that are left are deleted. Never later than `limit`. */
  readonly deadline: number;
  /** The hook's global timeout or EC2's notice ends the wait here, less a margin. Infinity where neither does. */
  readonly limit: number;
}

/** Left before the global timeout, so that we complete the hook and not the timeout. */
const hookMarginSeconds = 30;
/** Left of the two minutes of a spot warning, for the last pass and the calls after it. */
const noticeMarginSeconds = 10;

/**
 * deadline = the smallest of the operator's drain timeout, the hook's global timeout and the notice.
 * The global timeout counts from the moment at which the instance began to wait, which may be long after the notice with
 * which the drain began.
 */
export function leavingDeadlines(input: {
  /** The mark on the Node. */
  readonly since: number;
  readonly drainTimeoutSeconds: number;
  /** The wait on our hook, and when it began. */
  readonly wait?: (Pick<LifecycleHook, 'globalTimeoutSeconds'> & { readonly since: number }) | undefined;
  /** Infinity or absent: EC2 has set no time. */
  readonly noticeDeadline?: number | undefined;
}): LeavingDeadlines {
  const { since, drainTimeoutSeconds, wait, noticeDeadline = Infinity } = input;
  const limit = Math.min(wait ? hookLimit(wait) : Infinity, noticeDeadline - noticeMarginSeconds * 1000);
  return { limit, deadline: Math.min(limit, since + drainTimeoutSeconds * 1000) };
}

/** When the hook's global timeout ends a wait, less a margin, in epoch milliseconds. */
export const hookLimit = ({
  since,
  globalTimeoutSeconds,
}: Pick<LifecycleHook, 'globalTimeoutSeconds'> & { readonly since: number }): number =>
  since + Math.max(1, globalTimeoutSeconds - hookMarginSeconds) * 1000;

/** Passes renew the mark of the Node as often as they send heartbeats, so they do both this often however long the timeout is. */
const longestBetweenHeartbeatsSeconds = 900;

interface LastHeartbeat {
  /** Epoch milliseconds. */
  readonly lastHeartbeatAt: number;
  readonly heartbeatTimeoutSeconds: number;
}

/** When a third of the timeout has passed since the last heartbeat, in epoch milliseconds: two may fail before the wait is lost. */
export const nextHeartbeatAt = ({ lastHeartbeatAt, heartbeatTimeoutSeconds }: LastHeartbeat): number =>
  lastHeartbeatAt + Math.min(longestBetweenHeartbeatsSeconds, heartbeatTimeoutSeconds / 3) * 1000;

/** Past the limit no heartbeat helps. */
export const heartbeatIsDue = (
  input: LastHeartbeat & { readonly now: number; readonly limit: number },
): boolean => input.now < input.limit && input.now >= nextHeartbeatAt(input);
