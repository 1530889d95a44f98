import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { isTerminatingWait } from '../groups/lifecycle-state.ts';
import { endHeartbeats } from '../passes/heartbeats.ts';
import { completeAction } from '../passes/hook-action.ts';
import { again, done, type Facts, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import type { Leaving, LeavingContext, NodeDeleted, Planned, Started } from './context.ts';
import { tryRemoveNode } from './delete-node.ts';

type State = Leaving & Planned & { readonly node?: Node };

/**
 * Ends the wait with CONTINUE. An instance without a hook is handed back to Auto Scaling, which terminates it through its load balancers
 * and hooks and launches another (TerminateInstanceInAutoScalingGroup, desired capacity unchanged). If the instance comes back with a
 * new root volume, its message stays in the queue until its Node is uncordoned.
 */
export async function completeHook(context: LeavingContext, state: State & NodeDeleted): Promise<Outcome> {
  if (state.keepsNode && state.node) return await letRootVolumeGo(context, state);
  const result = await letInstanceGo(context, state);
  context.memory.remember(state.instance.instanceId, {
    released: state.plan.action ? 'completed' : 'handed-back',
  });
  return done(`${state.nodeResult}; ${result}`, factsOf(state));
}

async function letRootVolumeGo(context: LeavingContext, state: State & NodeDeleted): Promise<Outcome> {
  const result = await letInstanceGo(context, state);
  endHeartbeats(context, state.instance.instanceId);
  const reason = `${state.nodeResult}; ${result}, and it comes back with a new root volume`;
  return again(longestWaitSeconds, reason, { ...factsOf(state), waitsFor: 'reboot' });
}

/** Ends the wait without a drain, or after a failed one. Deletes the Node unless its instance comes back. */
export async function release(
  context: LeavingContext,
  state: State & { readonly node: Node },
): Promise<Outcome> {
  const {
    node,
    instance: { instanceId, autoScalingGroupName },
  } = state;
  if (state.keepsNode)
    return await completeHook(context, {
      ...state,
      nodeResult: `node ${node.metadata?.name} stays cordoned`,
    });
  const answer = await tryRemoveNode(context, { instanceId, autoScalingGroupName, node });
  const kept = typeof answer === 'object' && `is not deleted: ${answer.failure}`;
  const result = kept || (answer === 'deleted' ? 'is deleted' : 'was gone');
  return await completeHook(context, { ...state, nodeResult: `node ${node.metadata?.name} ${result}` });
}

async function letInstanceGo(
  { autoScaling }: LeavingContext,
  { plan: { action }, instance, toWarmPool }: State,
): Promise<string> {
  if (action) {
    const answer = await completeAction(autoScaling, action, 'CONTINUE');
    if (answer === 'not-active') return 'its hook waits no longer';
    return toWarmPool ? 'its hook is completed, it returns to the warm pool' : 'its hook is completed';
  }
  if (instance.lifecycleState.includes('Terminating') || isTerminatingWait(instance))
    return 'it waits on no hook of ours';
  const answer = await autoScaling.terminate(instance.instanceId);
  return answer === 'terminating' ? 'it is handed back to Auto Scaling' : 'it has left its group';
}

const factsOf = ({ instance, node, drainSeconds, toWarmPool }: State & NodeDeleted): Facts => ({
  autoScalingGroupName: instance.autoScalingGroupName,
  ...(node && { node: node.metadata?.name ?? '' }),
  ...(drainSeconds !== undefined && { drainSeconds }),
  ...(toWarmPool && { toWarmPool }),
});

/** Ends the pass if this environment released the instance moments ago: EC2 then reports that the instance is gone. */
export async function ignoreOwnRelease(
  { memory }: LeavingContext,
  { subject: { instanceId, notices } }: Started,
): Promise<Outcome | object> {
  const isReleased =
    memory.recall(instanceId)?.released && notices.every(({ cause }) => cause === 'instance-gone');
  return isReleased ? done('it was released moments ago') : {};
}
