import type { LeavingContext } from '../context.ts';
import { removeNode } from '../remove-node.ts';
import type { Leaving, Marked, NodeDeleted, Planned } from '../state.ts';

/**
 * Deletes the drained Node. Comes before the hook is completed: a pass that is killed between the two finds no Node, and
 * completes the hook.
 */
export async function deleteNode(
  context: LeavingContext,
  { instance: { instanceId }, plan, node }: Leaving & Planned & Pick<Marked, 'node'>,
): Promise<NodeDeleted> {
  const answer = await removeNode(context, { instanceId, node });
  const result = answer === 'deleted' ? 'is drained and deleted' : 'is drained and was gone';
  return {
    nodeResult: `node ${node.metadata?.name} ${result}`,
    drainSeconds: Math.round((context.clock.now() - plan.since) / 1000),
  };
}
