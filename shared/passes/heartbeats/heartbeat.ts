import type { Clock } from '../../base/clock.ts';
import type { AutoScaling } from '../../groups/auto-scaling.ts';
import type { LifecycleAction } from '../../groups/group.ts';
import { heartbeatIsDue } from '../../groups/hook-timing.ts';
import { recordActionHeartbeat } from '../hook-action.ts';
import type { HeartbeatMemory } from './heartbeat-memory.ts';
import { timingOf } from './next-heartbeat.ts';

export interface HeartbeatContext {
  readonly autoScaling: Pick<AutoScaling, 'recordHeartbeat'>;
  readonly clock: Clock;
  readonly memory: HeartbeatMemory;
  /** Logs an error that does not end the pass. */
  readonly reportError: (message: string, error: unknown) => void;
}

/**
 * - `sent`: the heartbeat restarted the wait's timer now;
 * - `not-due`: the last one is recent enough;
 * - `ended`: Auto Scaling says that nothing waits;
 * - `failed`: the call failed;
 * - `unknown`: the wait is not known yet, or this environment has ended it.
 */
export interface HeartbeatResult {
  readonly heartbeat: 'sent' | 'not-due' | 'ended' | 'failed' | 'unknown';
}

/**
 * Sends a heartbeat if one is due. Where Auto Scaling has told this environment that nothing waits, it sends none, unless
 * `mayWaitAnew`.
 */
export async function beatIfDue(
  context: HeartbeatContext,
  action: LifecycleAction,
  { mayWaitAnew }: { readonly mayWaitAnew: boolean },
): Promise<HeartbeatResult['heartbeat']> {
  const last = context.memory.lastHeartbeat(action.instanceId);
  if (last && !last.action && !mayWaitAnew) return 'unknown';
  if (last && !heartbeatIsDue({ now: context.clock.now(), ...timingOf(last) })) return 'not-due';
  return await beat(context, action);
}

/** Auto Scaling may not know a wait yet whose event it has just sent. */
const waitSettlesMilliseconds = 60_000;

/** Whether an action on a hook was noticed just now. */
export const isNewWait = (noticedAt: string, { clock }: Pick<HeartbeatContext, 'clock'>): boolean =>
  clock.now() - Date.parse(noticedAt) < waitSettlesMilliseconds;

/**
 * Sends one heartbeat and remembers it. Where Auto Scaling says that nothing waits, this environment sends no other for the wait.
 * Never rejects.
 */
export async function beat(
  { autoScaling, clock, memory, reportError }: HeartbeatContext,
  action: LifecycleAction,
): Promise<'sent' | 'ended' | 'failed'> {
  const { instanceId } = action;
  const triedAt = clock.now();
  const { sentAt, ...timing } = memory.lastHeartbeat(instanceId) ?? { sentAt: -Infinity };
  memory.rememberHeartbeat(instanceId, { ...timing, sentAt, action, triedAt });
  try {
    const answer = await recordActionHeartbeat(autoScaling, action);
    if (answer !== 'recorded') endHeartbeats({ memory }, instanceId);
    rememberSent({ memory }, instanceId, triedAt);
    return answer === 'recorded' ? 'sent' : 'ended';
  } catch (error) {
    reportError(`the heartbeat for ${instanceId} could not be sent; it is tried again`, error);
    return 'failed';
  }
}

/** What is remembered may have changed while the call was under way: the hook's timeout may be known by now. */
function rememberSent(
  { memory }: Pick<HeartbeatContext, 'memory'>,
  instanceId: string,
  sentAt: number,
): void {
  const last = memory.lastHeartbeat(instanceId);
  if (last) memory.rememberHeartbeat(instanceId, { ...last, sentAt: Math.max(last.sentAt, sentAt) });
}

/** Nothing waits any more, or this environment has ended the wait. */
export function endHeartbeats({ memory }: Pick<HeartbeatContext, 'memory'>, instanceId: string): void {
  const { action: _, ...last } = memory.lastHeartbeat(instanceId) ?? { action: undefined };
  if ('sentAt' in last) memory.rememberHeartbeat(instanceId, last);
}
