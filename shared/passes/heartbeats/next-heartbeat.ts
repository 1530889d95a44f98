import type { Clock } from '../../base/clock.ts';
import type { LifecycleHook } from '../../groups/group.ts';
import { nextHeartbeatAt, shortestHeartbeatTimeoutSeconds } from '../../groups/hook-timing.ts';
import type { Outcome } from '../outcome.ts';
import type { HeartbeatMemory, RememberedHeartbeat } from './heartbeat-memory.ts';

/** A pass that fell behind with its heartbeat comes back after so long. */
const lateSeconds = 5;

interface NextHeartbeatContext {
  readonly memory: HeartbeatMemory;
  readonly clock: Clock;
}

/** With short heartbeat timeouts the next pass comes when its heartbeat is due, earlier than the outcome asks for. */
export function beforeNextHeartbeat(
  context: NextHeartbeatContext,
  instanceId: string,
  outcome: Outcome,
): Outcome {
  if (outcome.status === 'done') return outcome;
  const seconds = secondsToNextHeartbeat(context, instanceId);
  return { ...outcome, afterSeconds: Math.min(outcome.afterSeconds, seconds) };
}

/** Infinity where this environment knows of no wait that heartbeats help. */
export function secondsToNextHeartbeat({ memory, clock }: NextHeartbeatContext, instanceId: string): number {
  const last = memory.lastHeartbeat(instanceId);
  const now = clock.now();
  if (!last?.action || now >= timingOf(last).limit) return Infinity;
  const seconds = Math.floor((nextHeartbeatAt(timingOf(last)) - now) / 1000);
  return seconds > 0 ? seconds : lateSeconds;
}

/** What a pass has learnt of a wait. */
export interface WaitPlan {
  /** Absent: it waits on no hook of ours. */
  readonly hook?: Pick<LifecycleHook, 'heartbeatTimeoutSeconds'>;
  readonly deadlines: { readonly limit: number };
}

/** The heartbeats of a wait are timed by the shortest timeout that its hook had, and end at the limit of the plan. */
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

/** A heartbeat is timed by the shortest timeout until the hooks of the group are known. */
export const timingOf = ({
  sentAt,
  heartbeatTimeoutSeconds = shortestHeartbeatTimeoutSeconds,
  limit = Infinity,
}: RememberedHeartbeat) => ({
  lastHeartbeatAt: sentAt,
  heartbeatTimeoutSeconds,
  limit,
});
