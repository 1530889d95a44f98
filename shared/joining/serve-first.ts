import { messageOf } from '../base/message-of.ts';
import { hasNoAnswer, hasNoKubeconfig } from '../draining/cluster-failure.ts';
import { isManaged, roleOf } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { completeAction } from '../passes/hook-action.ts';
import { done, type Outcome } from '../passes/outcome.ts';
import type { ClusterObserved, Joining, JoiningContext, Planned } from './context.ts';
import { observeCluster } from './observe-cluster.ts';

/**
 * Observes the cluster. If no API server answers and no instance of a control plane is in service, a control-plane instance does not wait
 * for its Node, also before the first kubeconfig is stored, for which an API server is needed: Auto Scaling registers it with the load balancer of the API servers only after its launch hooks, so the wait would hold
 * up what it waits for (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle").
 *
 * @throws the error of the API server for any other instance, because a failed read must not count as "no Node".
 */
export async function observeOrServeFirst(
  context: JoiningContext,
  state: Joining & Planned,
): Promise<Outcome | ClusterObserved> {
  try {
    return await observeCluster(context, state);
  } catch (error) {
    const isAbsent = hasNoAnswer(error) || hasNoKubeconfig(error);
    if (!isAbsent || !(await servesFirst(context, state))) throw error;
    return await completeFirst(context, state, error);
  }
}

async function servesFirst(
  { autoScaling, clock, settings: { clusterName } }: JoiningContext,
  { group }: Joining,
): Promise<boolean> {
  if (roleOf(group) !== 'control-plane') return false;
  const groups = await autoScaling.listGroups(clock.now());
  return !groups
    .filter((one) => isManaged(one, clusterName) && roleOf(one) === 'control-plane')
    .some(({ instances }) => instances.some(isInService));
}

async function completeFirst(
  { autoScaling }: JoiningContext,
  { plan, group: { autoScalingGroupName } }: Joining & Planned,
  error: unknown,
): Promise<Outcome> {
  const answer = await completeAction(autoScaling, plan.action, 'CONTINUE');
  const result = answer === 'completed' ? 'its hook is completed' : 'its hook waits no longer';
  const reason = `no API server answers and no control-plane instance is in service, so it goes into service without a Ready node: ${result} (${messageOf(error)})`;
  return done(reason, { autoScalingGroupName });
}
