import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { LeavingContext } from './context.ts';

/** Deletes the Node unless another one has its name by now, and remembers that it is gone: the next pass need not search for it. */
export async function removeNode(
  { cluster, memory }: LeavingContext,
  { instanceId, node }: { readonly instanceId: string; readonly node: Node },
): Promise<'deleted' | 'gone'> {
  const { name = '', uid = '' } = node.metadata ?? {};
  const answer = await cluster.deleteNode({ name, uid });
  memory.forget(instanceId);
  memory.remember(instanceId, { nodeDeleted: true });
  return answer;
}
