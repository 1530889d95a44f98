import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import { isKubeletSilent } from '../nodes/node-condition.ts';
import type { LeavingContext } from './context.ts';

/**
 * Positive evidence that nothing runs on a Node any more, although its instance still waits: EC2 calls it terminated, or EC2
 * shuts it down and its kubelet does not answer (a kubelet that answers may still end pods). EC2 is asked only where the
 * kubelet does not answer, and where this pass has not asked before.
 *
 * @returns why nothing runs there, in words; undefined where there is no such evidence.
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
