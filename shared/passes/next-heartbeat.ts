import type { Clock } from '../base/clock.ts';
import { youngestOf } from '../base/youngest-of.ts';
import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { shortestHeartbeatTimeoutSeconds } from '../groups/hook-timing.ts';
import type { Outcome } from './outcome.ts';

/** Passes renew the mark of the Node whenever they send a heartbeat, so this interval has a bound however long the timeout is. */
const longestBetweenHeartbeatsSeconds = 900;

interface LastHeartbeat {
  /** Epoch milliseconds. */
  readonly lastHeartbeatAt: number;
  readonly heartbeatTimeoutSeconds: number;
}

/** When a third of the timeout has passed since the last heartbeat, in epoch milliseconds. So two may fail before the wait is lost. */
export const nextHeartbeatAt = ({ lastHeartbeatAt, heartbeatTimeoutSeconds }: LastHeartbeat): number =>
  lastHeartbeatAt + Math.min(longestBetweenHeartbeatsSeconds, heartbeatTimeoutSeconds / 3) * 1000;

/** Whether it is time for the next heartbeat. After the limit no heartbeat helps. */
export const heartbeatIsDue = (
  input: LastHeartbeat & { readonly now: number; readonly limit: number },
): boolean => input.now < input.limit && input.now >= nextHeartbeatAt(input);

interface RememberedHeartbeat {
  /** The wait that the heartbeats are for; absent once it has ended. */
  readonly action?: LifecycleAction | undefined;
  /** When the last answered heartbeat was sent, in epoch milliseconds; -Infinity before the first. */
  readonly sentAt: number;
  /** When the last heartbeat was tried, in epoch milliseconds. */
  readonly triedAt: number;
  /** Known once the hooks of the group have been read. */
  readonly heartbeatTimeoutSeconds?: number;
  /** From when on no heartbeat helps, in epoch milliseconds. */
  readonly limit?: number;
}

/**
 * The heartbeats that this environment of a function has sent. It may be lost at any time: if no heartbeat is remembered, one is
 * sent.
 */
export interface HeartbeatMemory {
  lastHeartbeat(instanceId: string): RememberedHeartbeat | undefined;
  rememberHeartbeat(instanceId: string, heartbeat: RememberedHeartbeat): void;
}

const mostHeartbeats = 5000;

/** Holds a bounded number of heartbeats and drops the oldest first. */
export function createHeartbeatMemory(): HeartbeatMemory {
  const heartbeats = youngestOf<RememberedHeartbeat>(mostHeartbeats);
  return { lastHeartbeat: heartbeats.get, rememberHeartbeat: heartbeats.put };
}

/** When a pass runs again if its heartbeat is overdue. */
const lateSeconds = 5;

interface NextHeartbeatContext {
  readonly memory: HeartbeatMemory;
  readonly clock: Clock;
}

/** With a short heartbeat timeout the next pass runs when its heartbeat is due, which is earlier than the outcome asks for. */
export function beforeNextHeartbeat(
  context: NextHeartbeatContext,
  instanceId: string,
  outcome: Outcome,
): Outcome {
  if (outcome.status === 'done') return outcome;
  const seconds = secondsToNextHeartbeat(context, instanceId);
  return { ...outcome, afterSeconds: Math.min(outcome.afterSeconds, seconds) };
}

/** Infinity if this environment knows no wait that a heartbeat would extend. */
export function secondsToNextHeartbeat({ memory, clock }: NextHeartbeatContext, instanceId: string): number {
  const last = memory.lastHeartbeat(instanceId);
  const now = clock.now();
  if (!last?.action || now >= timingOf(last).limit) return Infinity;
  const seconds = Math.floor((nextHeartbeatAt(timingOf(last)) - now) / 1000);
  return seconds > 0 ? seconds : lateSeconds;
}

/** What a pass has learned about a wait. */
export interface WaitPlan {
  /** Absent if the instance does not wait on a hook of Drover. */
  readonly hook?: Pick<LifecycleHook, 'heartbeatTimeoutSeconds'>;
  readonly deadlines: { readonly limit: number };
}

/** Times the heartbeats of a wait by the shortest timeout that its hook has had, and ends them at the limit of the plan. */
export function learnTimeout(
  { memory }: Pick<NextHeartbeatContext, 'memory'>,
  instanceId: string,
  { hook, deadlines: { limit } }: WaitPlan,
): void {
  const last = memory.lastHeartbeat(instanceId);
  if (!last || !hook) return;
  const { heartbeatTimeoutSeconds: known = Infinity } = last;
  const heartbeatTimeoutSeconds = Math.min(known, hook.heartbeatTimeoutSeconds);
  memory.rememberHeartbeat(instanceId, { ...last, heartbeatTimeoutSeconds, limit });
}

/** Until the hook of the group is known, heartbeats are timed by the shortest timeout that AWS allows. */
export const timingOf = ({
  sentAt,
  heartbeatTimeoutSeconds = shortestHeartbeatTimeoutSeconds,
  limit = Infinity,
}: RememberedHeartbeat) => ({
  lastHeartbeatAt: sentAt,
  heartbeatTimeoutSeconds,
  limit,
});
