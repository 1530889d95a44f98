import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { completeAction } from '../../../lifecycle/hook-action.ts';
import { done, type Facts, type Outcome } from '../../../lifecycle/outcome.ts';
import type { LeavingContext } from '../context.ts';
import type { Leaving, NodeDeleted, Planned } from '../state.ts';
import { deleteNode } from './delete-node.ts';

type State = Leaving & Planned & { readonly node?: Node };

/**
 * Ends the wait with CONTINUE. An instance without a hook goes back to Auto Scaling, which terminates it through its load
 * balancers and hooks and launches another (TerminateInstanceInAutoScalingGroup with the desired capacity kept).
 */
export async function completeHook(context: LeavingContext, state: State & NodeDeleted): Promise<Outcome> {
  const result = await letInstanceGo(context, state);
  context.memory.remember(state.instance.instanceId, { released: true });
  return done(`${state.nodeResult}; ${result}`, factsOf(context, state));
}

/** The last two steps, for a leave that ends before the others. */
export async function release(
  context: LeavingContext,
  state: State & { readonly node: Node },
): Promise<Outcome> {
  return await completeHook(context, { ...state, ...(await deleteNode(context, state)) });
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
  if (instance.lifecycleState.includes('Terminating')) return 'it waits on no hook of ours';
  const answer = await autoScaling.terminate(instance.instanceId);
  return answer === 'terminating' ? 'it is handed back to Auto Scaling' : 'it has left its group';
}

const factsOf = ({ clock }: LeavingContext, { instance, node, plan, toWarmPool }: State): Facts => ({
  autoScalingGroupName: instance.autoScalingGroupName,
  ...(node && {
    node: node.metadata?.name ?? '',
    drainSeconds: Math.round((clock.now() - plan.since) / 1000),
  }),
  ...(toWarmPool && { toWarmPool }),
});
