import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import { isKubeletSilent } from '../nodes/node-condition.ts';
import type { Outcome } from '../passes/outcome.ts';
import { release } from './complete-hook.ts';
import type { Leaving, LeavingContext, NodeFound, Planned, Started } from './context.ts';

type State = Started & Leaving & Planned & NodeFound;

/** If the instance has ended while its hook still waits, its pods cannot be evicted, and the API would never show that they ended. */
export async function endIfInstanceGone(context: LeavingContext, state: State): Promise<Outcome | object> {
  const { instance, node, ec2 } = state;
  const gone = await whyInstanceIsGone(context, { instanceId: instance.instanceId, node, ec2 });
  if (gone === undefined) return {};
  const outcome = await release(context, { ...state, keepsNode: false });
  return { ...outcome, reason: `${gone}, there is nothing to drain; ${outcome.reason}` };
}

/**
 * Positive evidence that nothing runs on a Node any more, although its instance still waits: EC2 reports it terminated, or it is
 * shutting down and its kubelet does not respond (a kubelet that responds may still end pods). EC2 is read only if the kubelet does not
 * respond and this pass has not read it before.
 *
 * @returns why nothing runs there, for the outcome; undefined if there is no such evidence.
 */
export async function whyInstanceIsGone(
  context: Pick<LeavingContext, 'ec2'>,
  {
    instanceId,
    node,
    ec2,
  }: { readonly instanceId: string; readonly node: Node; readonly ec2?: Ec2Instance | undefined },
): Promise<string | undefined> {
  const isSilent = isKubeletSilent(node);
  const instance = ec2 ?? (isSilent ? await context.ec2.describeInstance(instanceId) : undefined);
  if (instance?.state === 'terminated') return 'EC2 says terminated';
  if (isSilent && instance?.state === 'shutting-down')
    return 'EC2 shuts it down and its kubelet does not answer';
  return undefined;
}
