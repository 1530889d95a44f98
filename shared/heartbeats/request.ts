import type { Clock } from '../base/clock.ts';
import { youngestOf } from '../base/youngest-of.ts';
import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
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

/** A request for a wait that was found without its event. It may have begun a timeout ago, so its first heartbeat is due at once. */
export const foundWait = (
  request: Omit<HeartbeatRequest, 'noticedAt' | 'heartbeatTimeoutSeconds'>,
  { now, heartbeatTimeoutSeconds }: { readonly now: number; readonly heartbeatTimeoutSeconds: number },
): HeartbeatRequest => ({
  ...request,
  noticedAt: now - heartbeatTimeoutSeconds * 1000,
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

/** Adds the timeouts of the hooks, which events do not have. A hook that cannot be read costs no heartbeat. */
export const createRequestHeartbeats =
  (context: {
    readonly send: SendBatch;
    readonly clock: Clock;
    readonly describeHooks: (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;
    readonly reportError: (message: string, error: unknown) => void;
  }): RequestHeartbeats =>
  async (requests) => {
    const timed = requests.map(async (request) => {
      const { autoScalingGroupName, lifecycleHookName } = request.action;
      try {
        const hooks = await context.describeHooks(autoScalingGroupName);
        const hook = hooks.find((one) => one.lifecycleHookName === lifecycleHookName);
        return { ...request, heartbeatTimeoutSeconds: hook?.heartbeatTimeoutSeconds };
      } catch (error) {
        context.reportError(`the hooks of ${autoScalingGroupName} could not be read`, error);
        return request;
      }
    });
    return await requestHeartbeats(await Promise.all(timed), context);
  };

/** Requests heartbeats for a wait, unless this environment did so a moment ago. Rejects if the message could not be sent. */
export type EnsureHeartbeats = (request: HeartbeatRequest) => Promise<void>;

/** SQS drops repetitions for five minutes. */
const repeatMilliseconds = 300_000;
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
    if (now - (requestedAt.get(key) ?? -Infinity) < repeatMilliseconds) return;
    const [failure] = await requestHeartbeats([request], context);
    if (failure)
      throw new Error(`heartbeats for ${instanceId} could not be requested`, { cause: failure.error });
    requestedAt.put(key, now);
  };
}
