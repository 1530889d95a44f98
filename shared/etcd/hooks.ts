import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { heartbeatIsDue } from '../passes/next-heartbeat.ts';
import type { EtcdContext } from './context.ts';
import type { ListedInstance } from './groups.ts';

type Waiting = ListedInstance & { readonly waitsOn: LifecycleHook };

/** The instances that wait on one of our hooks. Their group still lists them while another hook holds them, so completed hooks are left out. */
export const waitingInstances = (
  context: EtcdContext,
  instances: readonly ListedInstance[],
): readonly Waiting[] =>
  instances.filter(
    (one): one is Waiting => one.waitsOn !== undefined && !context.memory.isDone(waitKey(one)),
  );

/**
 * Sends the heartbeats that are due, before anything else can fail. Only a warm Lambda knows the time of the last one. A failure stops
 * neither the other heartbeats nor the pass; the next pass tries again.
 *
 * @returns a sentence for each heartbeat that failed.
 */
export async function sendHeartbeats(
  context: EtcdContext,
  waiting: readonly Waiting[],
): Promise<readonly string[]> {
  const due = waiting.filter((one) => isDue(context, one));
  const failures = await Promise.all(due.map((one) => sendHeartbeat(context, one)));
  return failures.filter((failure) => failure !== undefined);
}

const isDue = ({ clock, memory }: EtcdContext, { instanceId, waitsOn }: Waiting): boolean =>
  heartbeatIsDue({
    now: clock.now(),
    lastHeartbeatAt: memory.lastHeartbeatAt(instanceId) ?? 0,
    limit: Infinity,
    heartbeatTimeoutSeconds: waitsOn.heartbeatTimeoutSeconds,
  });

async function sendHeartbeat(
  { autoScaling, memory, onProblem }: EtcdContext,
  one: Waiting,
): Promise<string | undefined> {
  try {
    const answer = await autoScaling.recordHeartbeat(actionOf(one));
    memory.recordHeartbeat(one.instanceId);
    if (answer === 'not-active') memory.markDone(waitKey(one));
    return undefined;
  } catch (error) {
    const failure = `the heartbeat for ${one.instanceId} could not be sent`;
    onProblem(failure, error);
    return `${failure}: its wait ends after ${one.waitsOn.heartbeatTimeoutSeconds} s without one`;
  }
}

/** Completes the hook, always with CONTINUE: an ABANDON would also end the waits of the group's other hooks. */
export async function completeHook(context: EtcdContext, one: Waiting): Promise<'completed' | 'not-active'> {
  const answer = await context.autoScaling.complete(actionOf(one), 'CONTINUE');
  context.memory.markDone(waitKey(one));
  return answer;
}

const waitKey = ({ instanceId, phase }: ListedInstance): string => `${phase} ${instanceId}`;

const actionOf = ({ instanceId, autoScalingGroupName, waitsOn }: Waiting): LifecycleAction => ({
  instanceId,
  autoScalingGroupName,
  lifecycleHookName: waitsOn.lifecycleHookName,
});
