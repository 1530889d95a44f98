import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { LeavingContext } from './context.ts';

/** Deletes the Node unless another one has its name by now, and forgets what is remembered of it. */
export async function removeNode(
  { cluster, memory }: LeavingContext,
  { instanceId, node }: { readonly instanceId: string; readonly node: Node },
): Promise<'deleted' | 'gone'> {
  const { name = '', uid = '' } = node.metadata ?? {};
  const answer = await cluster.deleteNode({ name, uid });
  memory.forget(instanceId);
  return answer;
}
