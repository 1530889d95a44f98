import { messageOf } from '../base/message-of.ts';
import type { LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { foundWait } from '../heartbeats/request.ts';
import type { EtcdContext, EtcdPassContext } from './context.ts';
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
 * Requests the heartbeats of each wait: the pass may find one whose event was lost. A failure does not end the pass; the next pass tries
 * again.
 *
 * @returns a sentence for each wait without.
 */
export async function ensureHeartbeats(
  { ensureHeartbeats: ensure, clock, onProblem }: EtcdPassContext,
  waiting: readonly Waiting[],
): Promise<readonly string[]> {
  const failures = await Promise.all(
    waiting.map(async (one) => {
      const { transition, heartbeatTimeoutSeconds } = one.waitsOn;
      const wait = { action: actionOf(one), transition };
      try {
        await ensure(foundWait(wait, { now: clock.now(), heartbeatTimeoutSeconds }));
        return [];
      } catch (error) {
        onProblem(messageOf(error), error);
        return [messageOf(error)];
      }
    }),
  );
  return failures.flat();
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
