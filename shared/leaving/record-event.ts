import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { NodeEvent } from '../nodes/cluster.ts';
import type { LeavingContext } from './context.ts';

/**
 * Begins to record an Event on the Node, for `kubectl describe node`. An Event that cannot be recorded does not fail the drain, and
 * one that takes long does not delay it.
 */
export function recordEvent(
  { cluster, events, reportError }: LeavingContext,
  node: Node,
  event: Omit<NodeEvent, 'node'>,
): void {
  const { name = '', uid = '' } = node.metadata ?? {};
  const recording = cluster
    .recordEvent({ ...event, node: { name, uid } })
    .catch((error: unknown) =>
      reportError(`the Event ${event.reason} could not be recorded on node ${name}`, error),
    );
  events.push(recording);
}
