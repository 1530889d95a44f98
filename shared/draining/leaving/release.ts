import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { completeAction } from '../../lifecycle/hook-action.ts';
import { done, type Facts, type Outcome } from '../../lifecycle/outcome.ts';
import type { LeaveTerms } from './terms.ts';
import type { LeavingWorld } from './world.ts';

/**
 * The last step: the Node is deleted, then the hook is completed, in this order, so that a pass that is killed between the
 * two finds no Node and completes. Without a hook the instance is handed back to Auto Scaling, which terminates it through
 * its load balancers and hooks and launches another (TerminateInstanceInAutoScalingGroup, desired capacity kept).
 */
export async function release(
  world: LeavingWorld,
  terms: LeaveTerms,
  node: Node | undefined,
): Promise<Outcome> {
  const { name = '', uid = '' } = node?.metadata ?? {};
  if (node) await world.cluster.deleteNode({ name, uid });
  world.memory.forget(terms.instance.instanceId);
  const words = node ? `node ${name} is drained and deleted` : 'it has no node';
  const afterwards = await letGo(world, terms);
  world.memory.remember(terms.instance.instanceId, { released: true });
  return done(`${words}; ${afterwards}`, factsOf(world, terms, node));
}

async function letGo(world: LeavingWorld, { action, instance, toWarmPool }: LeaveTerms): Promise<string> {
  if (action) {
    const answer = await completeAction(world.autoScaling, action, 'CONTINUE');
    if (answer === 'not-active') return 'its hook waits no longer';
    return toWarmPool ? 'its hook is completed, it returns to the warm pool' : 'its hook is completed';
  }
  if (instance.lifecycleState.includes('Terminating')) return 'it waits on no hook of ours';
  const answer = await world.autoScaling.terminate(instance.instanceId);
  return answer === 'terminating' ? 'it is handed back to Auto Scaling' : 'it has left its group';
}

function factsOf(world: LeavingWorld, terms: LeaveTerms, node: Node | undefined): Facts {
  return {
    autoScalingGroupName: terms.instance.autoScalingGroupName,
    ...(node && {
      node: node.metadata?.name ?? '',
      drainSeconds: Math.round((world.clock.now() - terms.since) / 1000),
    }),
    ...(terms.toWarmPool && { toWarmPool: true }),
  };
}
