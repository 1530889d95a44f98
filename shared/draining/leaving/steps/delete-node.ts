import { messageOf } from '../../../base/message-of.ts';
import { hasNoAnswer } from '../../cluster-failure.ts';
import type { LeavingContext } from '../context.ts';
import { removeNode } from '../remove-node.ts';
import type { Leaving, Marked, NodeDeleted, Planned } from '../state.ts';

/**
 * Deletes the drained Node. Comes before the hook is completed: a pass that is killed between the two finds no Node, and
 * completes the hook. An API server that does not answer now does not keep a drained instance: the sweep deletes
 * the Node once the instance is gone.
 */
export async function deleteNode(
  context: LeavingContext,
  { instance: { instanceId }, plan, node }: Leaving & Planned & Pick<Marked, 'node'>,
): Promise<NodeDeleted> {
  const name = node.metadata?.name;
  const drainSeconds = Math.round((context.clock.now() - plan.since) / 1000);
  try {
    const answer = await removePersistently(context, { instanceId, node });
    const result = answer === 'deleted' ? 'is drained and deleted' : 'is drained and was gone';
    return { nodeResult: `node ${name} ${result}`, drainSeconds };
  } catch (error) {
    if (!hasNoAnswer(error)) throw error;
    return { nodeResult: `node ${name} is drained, and not deleted: ${messageOf(error)}`, drainSeconds };
  }
}

/** A failure this quick leaves time for a second attempt. */
const quickMilliseconds = 2000;

async function removePersistently(
  context: LeavingContext,
  removed: Parameters<typeof removeNode>[1],
): Promise<'deleted' | 'gone'> {
  const startedAt = context.clock.now();
  try {
    return await removeNode(context, removed);
  } catch (error) {
    if (!hasNoAnswer(error) || context.clock.now() - startedAt > quickMilliseconds) throw error;
    return await removeNode(context, removed);
  }
}
