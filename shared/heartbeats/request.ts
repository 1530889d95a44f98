import type { Clock, TimerClock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';
import { withinTime } from '../base/within-time.ts';
import { youngestOf } from '../base/youngest-of.ts';
import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { longestHeartbeatTimeoutSeconds } from '../groups/hook-timing.ts';
import type { BatchFailure, SendBatch } from '../passes/queue.ts';
import { type HeartbeatNotice, heartbeatMessage } from './message.ts';

/** A wait that needs heartbeats. */
export interface HeartbeatRequest {
  readonly action: LifecycleAction;
  readonly transition: LifecycleHook['transition'];
  /** When the wait began, or the earliest time at which it may have begun, in epoch milliseconds. */
  readonly noticedAt: number;
  /** The timeout of the hook, if it is known. AWS does not document whether a later change applies to a wait that has begun. */
  readonly heartbeatTimeoutSeconds?: number | undefined;
}

/**
 * A request for a wait that was found without its event. It may have begun a timeout ago, so its first heartbeat is due at once. If the hook
 * could not be read, the function that sends the heartbeats reads it.
 */
export const foundWait = (
  request: Omit<HeartbeatRequest, 'noticedAt' | 'heartbeatTimeoutSeconds'>,
  {
    now,
    heartbeatTimeoutSeconds,
  }: { readonly now: number; readonly heartbeatTimeoutSeconds: number | undefined },
): HeartbeatRequest => ({
  ...request,
  noticedAt: now - (heartbeatTimeoutSeconds ?? longestHeartbeatTimeoutSeconds) * 1000,
  heartbeatTimeoutSeconds,
});

export const noticeOf = ({
  action: { instanceId, ...hook },
  transition,
  noticedAt,
  heartbeatTimeoutSeconds,
}: HeartbeatRequest): HeartbeatNotice => ({
  cause: 'waiting',
  instanceId,
  transition,
  hook,
  noticedAt: new Date(noticedAt).toISOString(),
  ...(heartbeatTimeoutSeconds && { heartbeatTimeoutSeconds }),
});

/** Sends the messages that keep these waits alive. Returns the failures by the index of the request, and never throws. */
export async function requestHeartbeats(
  requests: readonly HeartbeatRequest[],
  { send, clock }: { readonly send: SendBatch; readonly clock: Clock },
): Promise<readonly BatchFailure[]> {
  if (requests.length === 0) return [];
  const sentAt = new Date(clock.now()).toISOString();
  return await send(requests.map((request) => heartbeatMessage(noticeOf(request), sentAt)));
}

/** Requests the heartbeats of waits whose events have just arrived. Returns the failures, and never throws. */
export type RequestHeartbeats = (requests: readonly HeartbeatRequest[]) => Promise<readonly BatchFailure[]>;

/** A first heartbeat is due after a third of the timeout, which is at least 30 s. Without a timeout the message causes a read more. */
const hooksMilliseconds = 2000;

/**
 * Adds the timeouts of the hooks, which events do not have. Each group is read and sent by itself: a group whose hooks cannot be read, or are
 * not read in time, is sent without the timeout, and delays no other.
 */
export const createRequestHeartbeats =
  (context: {
    readonly send: SendBatch;
    readonly clock: TimerClock;
    readonly describeHooks: (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;
    readonly reportError: (message: string, error: unknown) => void;
  }): RequestHeartbeats =>
  async (requests) => {
    const hooksOf = async (name: string): Promise<readonly LifecycleHook[]> => {
      try {
        return await withinTime(context.clock, hooksMilliseconds, context.describeHooks(name));
      } catch (error) {
        context.reportError(`the hooks of ${name} could not be read`, error);
        return [];
      }
    };
    const groups = Map.groupBy(requests.entries(), ([, { action }]) => action.autoScalingGroupName);
    const failures = await Promise.all(
      [...groups].map(async ([name, entries]) => {
        const hooks = await hooksOf(name);
        const timed = entries.map(([, request]) => withTimeout(request, hooks));
        const failed = await requestHeartbeats(timed, context);
        return failed.map((failure) => ({ ...failure, index: entries[failure.index]?.[0] ?? failure.index }));
      }),
    );
    return failures.flat().toSorted((one, other) => one.index - other.index);
  };

function withTimeout(request: HeartbeatRequest, hooks: readonly LifecycleHook[]): HeartbeatRequest {
  const hook = hooks.find((one) => one.lifecycleHookName === request.action.lifecycleHookName);
  return {
    ...request,
    heartbeatTimeoutSeconds: hook?.heartbeatTimeoutSeconds ?? request.heartbeatTimeoutSeconds,
  };
}

/** Requests heartbeats for a wait, unless this environment did so a moment ago. Rejects if the message could not be sent. */
export type EnsureHeartbeats = (request: HeartbeatRequest) => Promise<void>;

/** SQS drops repetitions for five minutes. */
const repeatSeconds = 300;
const mostWaits = 5000;

/**
 * For passes that find a wait whose notice does not say that its heartbeats were requested: an earlier version of Drover sent the notice, or
 * the event of the wait was lost.
 */
export function createEnsureHeartbeats(context: {
  readonly send: SendBatch;
  readonly clock: Clock;
}): EnsureHeartbeats {
  const requestedAt = youngestOf<number>(mostWaits);
  return async (request) => {
    const { instanceId, autoScalingGroupName, lifecycleHookName } = request.action;
    const key = `${autoScalingGroupName}/${lifecycleHookName}/${instanceId}`;
    const now = context.clock.now();
    if (isRecent(requestedAt.get(key) ?? -Infinity, { now, seconds: repeatSeconds })) return;
    const [failure] = await requestHeartbeats([request], context);
    if (failure)
      throw new Error(`heartbeats for ${instanceId} could not be requested`, { cause: failure.error });
    requestedAt.put(key, now);
  };
}
