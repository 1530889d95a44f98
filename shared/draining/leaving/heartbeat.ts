import type { LifecycleAction } from '../../lifecycle/group.ts';
import { recordActionHeartbeat } from '../../lifecycle/hook-action.ts';
import type { LeavingContext } from './context.ts';

export type HeartbeatContext = Pick<LeavingContext, 'autoScaling' | 'clock' | 'memory' | 'reportError'>;

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
function rememberSent({ memory }: Pick<LeavingContext, 'memory'>, instanceId: string, sentAt: number): void {
  const last = memory.lastHeartbeat(instanceId);
  if (last) memory.rememberHeartbeat(instanceId, { ...last, sentAt: Math.max(last.sentAt, sentAt) });
}

/** Nothing waits any more, or this environment has ended the wait. */
export function endHeartbeats({ memory }: Pick<LeavingContext, 'memory'>, instanceId: string): void {
  const { action: _, ...last } = memory.lastHeartbeat(instanceId) ?? { action: undefined };
  if ('sentAt' in last) memory.rememberHeartbeat(instanceId, last);
}
