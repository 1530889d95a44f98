import type { LeavingContext } from '../context.ts';
import { tryRemoveNode } from '../remove-node.ts';
import type { Leaving, Marked, NodeDeleted, Planned } from '../state.ts';

/**
 * Deletes the drained Node. Comes before the hook is completed: a pass that is killed between the two finds no Node, and
 * completes the hook.
 */
export async function deleteNode(
  context: LeavingContext,
  { instance: { instanceId }, plan, node }: Leaving & Planned & Pick<Marked, 'node'>,
): Promise<NodeDeleted> {
  const answer = await tryRemoveNode(context, { instanceId, node });
  return {
    nodeResult: `node ${node.metadata?.name} is drained${restOf(answer)}`,
    drainSeconds: Math.round((context.clock.now() - plan.since) / 1000),
  };
}

function restOf(answer: Awaited<ReturnType<typeof tryRemoveNode>>): string {
  if (typeof answer === 'object') return `, and not deleted: ${answer.failure}`;
  return answer === 'deleted' ? ' and deleted' : ' and was gone';
}
