import { type StoredMessage, stateOf } from './message.ts';
import type { Queue } from './queue.ts';

/**
 * What a receive may hand out now, in its order. A standard queue: whatever is visible. A FIFO queue: no message of a
 * group that has one in flight, none behind a delayed one, and as many of one group as there are before the
 * next group (SQS developer guide, "FIFO queue delivery logic").
 */
export function receivableMessages(queue: Queue, now: number): StoredMessage[] {
  const messages = [...queue.messages.values()];
  if (!queue.fifo) return messages.filter((message) => stateOf(message, now) === 'visible');
  const blocked = new Set(
    messages.filter((message) => stateOf(message, now) === 'in-flight').map(({ groupId }) => groupId),
  );
  const groups = new Map<string | undefined, StoredMessage[]>();
  for (const message of messages) {
    if (blocked.has(message.groupId)) continue;
    if (stateOf(message, now) === 'delayed') blocked.add(message.groupId);
    else append(groups, message);
  }
  return [...groups.values()].flat();
}

function append(groups: Map<string | undefined, StoredMessage[]>, message: StoredMessage): void {
  const group = groups.get(message.groupId);
  if (group === undefined) groups.set(message.groupId, [message]);
  else group.push(message);
}
