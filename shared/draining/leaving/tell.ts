import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { NodeEvent } from '../cluster.ts';
import type { LeavingWorld } from './world.ts';

/** Kubernetes' limit for the message of an Event. */
const longestMessage = 1024;

/** Records an Event on the Node, for `kubectl describe node`. A drain does not fail because nobody could be told. */
export async function tell(world: LeavingWorld, node: Node, event: Omit<NodeEvent, 'node'>): Promise<void> {
  const { name = '', uid = '' } = node.metadata ?? {};
  try {
    await world.cluster.recordEvent({
      ...event,
      node: { name, uid },
      message: event.message.slice(0, longestMessage),
    });
  } catch (error) {
    world.onTrouble(`the Event ${event.reason} could not be recorded on node ${name}`, error);
  }
}
