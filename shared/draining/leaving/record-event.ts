import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { NodeEvent } from '../cluster.ts';
import type { LeavingContext } from './context.ts';

/** Records an Event on the Node, for `kubectl describe node`. An Event that cannot be recorded does not fail the drain. */
export async function recordEvent(
  context: LeavingContext,
  node: Node,
  event: Omit<NodeEvent, 'node'>,
): Promise<void> {
  const { name = '', uid = '' } = node.metadata ?? {};
  try {
    await context.cluster.recordEvent({ ...event, node: { name, uid } });
  } catch (error) {
    context.reportError(`the Event ${event.reason} could not be recorded on node ${name}`, error);
  }
}
