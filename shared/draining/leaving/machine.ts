import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../../lifecycle/group.ts';
import { isKubeletSilent } from '../node-condition.ts';
import type { LeavingWorld } from './world.ts';

/**
 * Positive evidence that nothing runs on a Node any more, although its instance still waits: EC2 calls it terminated, or
 * takes it while its kubelet does not answer (until then that may still end pods). EC2 is asked only where the kubelet's
 * silence suggests it, and nobody has asked before.
 *
 * @returns why nothing runs there, in words; undefined where there is no such evidence.
 */
export async function whyMachineIsGone(
  { ec2 }: LeavingWorld,
  {
    instanceId,
    node,
    seen,
  }: { readonly instanceId: string; readonly node: Node; readonly seen?: Ec2Instance },
): Promise<string | undefined> {
  const isSilent = isKubeletSilent(node);
  const instance = seen ?? (isSilent ? await ec2.describeInstance(instanceId) : undefined);
  if (instance?.state === 'terminated') return 'EC2 says terminated';
  if (isSilent && instance?.state === 'shutting-down')
    return 'EC2 shuts it down and its kubelet does not answer';
  return undefined;
}
