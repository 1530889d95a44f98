import type { LifecycleAction, LifecycleHook } from '../lifecycle/group.ts';
import { heartbeatIsDue } from '../lifecycle/hook-timing.ts';
import type { ListedInstance } from './groups.ts';
import type { EtcdWorld } from './world.ts';

type Waiting = ListedInstance & { readonly waitsOn: LifecycleHook };

/** The instances that wait on our hook, as far as their group tells: another hook may hold them where ours is completed. */
export const waitingOf = (world: EtcdWorld, instances: readonly ListedInstance[]): readonly Waiting[] =>
  instances.filter((one): one is Waiting => one.waitsOn !== undefined && !world.memory.wasDone(waitKey(one)));

/** Restarts the timers that are due, before anything else can fail. When the last beat was is known while the Lambda is warm. */
export async function keepWaits(world: EtcdWorld, waiting: readonly Waiting[]): Promise<void> {
  const { autoScaling, clock, memory } = world;
  for (const one of waiting) {
    const isDue = heartbeatIsDue({
      now: clock.now(),
      lastHeartbeatAt: memory.lastBeatAt(one.instanceId) ?? 0,
      limit: Infinity,
      heartbeatTimeoutSeconds: one.waitsOn.heartbeatTimeoutSeconds,
    });
    if (!isDue) continue;
    const answer = await autoScaling.recordHeartbeat(actionOf(one));
    memory.beat(one.instanceId);
    if (answer === 'not-active') memory.done(waitKey(one));
  }
}

/** Lets an instance go on. Only ever CONTINUE: an ABANDON would end the waits of the group's other hooks too. */
export async function completeWait(world: EtcdWorld, one: Waiting): Promise<'completed' | 'not-active'> {
  const answer = await world.autoScaling.complete(actionOf(one), 'CONTINUE');
  world.memory.done(waitKey(one));
  return answer;
}

const waitKey = ({ instanceId, phase }: ListedInstance): string => `${phase} ${instanceId}`;

const actionOf = ({ instanceId, autoScalingGroupName, waitsOn }: Waiting): LifecycleAction => ({
  instanceId,
  autoScalingGroupName,
  lifecycleHookName: waitsOn.lifecycleHookName,
});
