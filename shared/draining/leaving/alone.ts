import type { AutoScalingGroup } from '../../lifecycle/group.ts';
import { waitingOf } from './members.ts';

/**
 * Whether the instance waits to leave and no other of its group does. Many that leave together share what they look up; whoever
 * leaves alone pays for it alone, and is spared what it can do without.
 */
export function leavesAlone(group: AutoScalingGroup, instanceId: string): boolean {
  const waiting = waitingOf(group);
  return waiting.length === 1 && waiting[0]?.instanceId === instanceId;
}
