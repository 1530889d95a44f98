import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { NodePatch } from '../draining/cordon.ts';
import type { LeavingContext } from './context.ts';

/**
 * Patches the Node of an instance, and forgets what is remembered of the instance first: a patch without an answer may be done, and
 * one that is refused may be about another Node of the same name.
 *
 * @returns the Node as it is after the patch; without a patch, the Node itself.
 * @throws KubernetesError where the API server refuses the patch or gives no answer.
 */
export async function patchNode(
  { cluster, memory }: Pick<LeavingContext, 'cluster' | 'memory'>,
  {
    instanceId,
    node,
    patch,
  }: { readonly instanceId: string; readonly node: Node; readonly patch?: NodePatch },
): Promise<Node> {
  if (!patch) return node;
  memory.forget(instanceId);
  return await cluster.patchNode(node.metadata?.name ?? '', patch);
}
