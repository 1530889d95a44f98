import { nextHeartbeatAt, shortestHeartbeatTimeoutSeconds } from '../../lifecycle/hook-timing.ts';
import type { Outcome } from '../../lifecycle/outcome.ts';
import type { LeavingContext } from './context.ts';
import type { LeavePlan } from './leave-plan.ts';
import type { RememberedHeartbeat } from './memory.ts';

/** A pass that fell behind with its heartbeat comes back after so long. */
const lateSeconds = 5;

/** With short heartbeat timeouts the next pass comes when its heartbeat is due, earlier than the outcome asks for. */
export function beforeNextHeartbeat(
  { memory, clock }: Pick<LeavingContext, 'memory' | 'clock'>,
  instanceId: string,
  outcome: Outcome,
): Outcome {
  if (outcome.status === 'done') return outcome;
  const seconds = secondsToNextHeartbeat({ memory, clock }, instanceId);
  return { ...outcome, afterSeconds: Math.min(outcome.afterSeconds, seconds) };
}

/** Infinity where this environment knows of no wait that heartbeats help. */
export function secondsToNextHeartbeat(
  { memory, clock }: Pick<LeavingContext, 'memory' | 'clock'>,
  instanceId: string,
): number {
  const last = memory.lastHeartbeat(instanceId);
  const now = clock.now();
  if (!last?.action || now >= timingOf(last).limit) return Infinity;
  const seconds = Math.floor((nextHeartbeatAt(timingOf(last)) - now) / 1000);
  return seconds > 0 ? seconds : lateSeconds;
}

/** The heartbeats of a wait are timed by the shortest timeout that its hook had, and end at the limit of the plan. */
export function learnTimeout(
  { memory }: LeavingContext,
  instanceId: string,
  { hook, deadlines: { limit } }: LeavePlan,
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
