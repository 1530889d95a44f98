import { completeAction } from '../../passes/hook-action.ts';
import { done, type Outcome } from '../../passes/outcome.ts';
import type { JoiningContext } from '../context.ts';
import type { ClusterObserved, Joining, Judged, Planned } from '../state.ts';

type State = Joining & Planned & ClusterObserved & Judged;

/** Ends the wait of an instance that is ready with CONTINUE. */
export async function completeHook(
  { autoScaling, clock }: JoiningContext,
  { readiness, plan, group, node, toWarmPool }: State,
): Promise<Outcome | object> {
  if (readiness.kind !== 'ready') return {};
  const answer = await completeAction(autoScaling, plan.action, 'CONTINUE');
  const result = answer === 'completed' ? 'its hook is completed' : 'its hook waits no longer';
  return done(`${readiness.reason}: ${result}`, {
    autoScalingGroupName: group.autoScalingGroupName,
    ...(node && { node: node.metadata?.name ?? '' }),
    ...(toWarmPool
      ? { toWarmPool }
      : answer === 'completed' && { joinSeconds: Math.round((clock.now() - plan.since) / 1000) }),
  });
}
