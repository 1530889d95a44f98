import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { hasNoAnswer, isDenied } from '../draining/cluster-failure.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import type { LeavingContext } from './context.ts';
import { recordEvent } from './record-event.ts';
import { tell } from './tell.ts';

export interface NodeToRemove {
  readonly instanceId: string;
  readonly node: Node;
  readonly autoScalingGroupName?: string | undefined;
}

/**
 * Deletes the Node unless another one has its name by now, and remembers that it is gone: the next pass need not search for it. People
 * are told before: once the Node is gone, no pass would know that it has to.
 */
export async function removeNode(
  context: Pick<LeavingContext, 'cluster' | 'memory' | 'notify'>,
  removed: NodeToRemove,
): Promise<'deleted' | 'gone'> {
  const { cluster, memory } = context;
  const { instanceId, node } = removed;
  const { name = '', uid = '' } = node.metadata ?? {};
  await tellGone(context, removed);
  const answer = await cluster.deleteNode({ name, uid });
  memory.forget(instanceId);
  memory.remember(instanceId, { nodeDeleted: true });
  return answer;
}

async function tellGone(
  context: Pick<LeavingContext, 'notify'>,
  { instanceId, node, autoScalingGroupName }: NodeToRemove,
): Promise<void> {
  const { annotations, creationTimestamp = '' } = node.metadata ?? {};
  const mark = readLeavingMark(annotations) ?? { instanceId, since: creationTimestamp };
  await tell(context, { kind: 'node-gone', node, mark, what: 'has left the cluster', autoScalingGroupName });
}

/** A failure this quick leaves time for a second attempt. */
const quickMilliseconds = 2000;

/**
 * Deletes the Node of an instance that is let go. A deletion that is denied, or gets no answer, does not keep the instance: the
 * sweep deletes the Node once the instance is gone.
 */
export async function tryRemoveNode(
  context: LeavingContext,
  removed: NodeToRemove,
): Promise<'deleted' | 'gone' | { readonly failure: string }> {
  const startedAt = context.clock.now();
  const isQuick = (): boolean => context.clock.now() - startedAt <= quickMilliseconds;
  try {
    return await removeNode(context, removed).catch((error: unknown) => {
      if (hasNoAnswer(error) && !isDenied(error) && isQuick()) return removeNode(context, removed);
      throw error;
    });
  } catch (error) {
    if (!hasNoAnswer(error) && !isDenied(error)) throw error;
    const failure = messageOf(error);
    context.reportError(
      `node ${removed.node.metadata?.name} is not deleted, and its instance is let go`,
      error,
    );
    if (isDenied(error))
      recordEvent(context, removed.node, { type: 'Warning', reason: 'NodeNotDeleted', message: failure });
    return { failure };
  }
}
