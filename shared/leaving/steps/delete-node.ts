import { again, type Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { tryRemoveNode } from '../remove-node.ts';
import type { Leaving, Marked, NodeDeleted, Planned } from '../state.ts';

/**
 * Deletes the drained Node. Comes before the hook is completed: a pass that is killed between the two finds no Node, and
 * completes the hook. Where other Nodes name the instance, they are drained as well before it is let go.
 * The Node of an instance that comes back with a new root volume stays.
 */
export async function deleteNode(
  context: LeavingContext,
  {
    instance: { instanceId, autoScalingGroupName },
    plan,
    node,
    mark,
    keepsNode,
  }: Leaving & Planned & Pick<Marked, 'node'> & Partial<Marked>,
): Promise<Outcome | NodeDeleted> {
  const name = node.metadata?.name;
  const drainSeconds = Math.round((context.clock.now() - plan.since) / 1000);
  if (keepsNode) return { nodeResult: `node ${name} is drained and stays cordoned`, drainSeconds };
  const answer = await tryRemoveNode(context, { instanceId, autoScalingGroupName, node });
  if (mark?.hasTwins && typeof answer === 'string') {
    context.memory.forget(instanceId);
    return again(1, `node ${name} is drained${restOf(answer)}; another node of the instance is next`);
  }
  return { nodeResult: `node ${name} is drained${restOf(answer)}`, drainSeconds };
}

function restOf(answer: Awaited<ReturnType<typeof tryRemoveNode>>): string {
  if (typeof answer === 'object') return `, and not deleted: ${answer.failure}`;
  return answer === 'deleted' ? ' and deleted' : ' and was gone';
}
