import type { LeavingContext } from '../context.ts';
import type { Leaving, Marked, NodeDeleted } from '../state.ts';

/** Comes before the hook is completed: a pass that is killed between the two finds no Node, and completes the hook. */
export async function deleteNode(
  { cluster, memory }: LeavingContext,
  { instance, node }: Leaving & Pick<Marked, 'node'>,
): Promise<NodeDeleted> {
  const { name = '', uid = '' } = node.metadata ?? {};
  await cluster.deleteNode({ name, uid });
  memory.forget(instance.instanceId);
  return { nodeResult: `node ${name} is drained and deleted` };
}
