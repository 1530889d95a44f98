import type { AutoScalingGroup } from '../../lifecycle/group.ts';

/**
 * Whether the instance waits to leave and no other of its group does. Many that leave together share what they look up; whoever
 * leaves alone pays for it alone, and is spared what it can do without.
 */
export function leavesAlone({ instances }: Pick<AutoScalingGroup, 'instances'>, instanceId: string): boolean {
  const waiting = instances.filter(({ lifecycleState }) => lifecycleState.endsWith('Terminating:Wait'));
  return waiting.length === 1 && waiting[0]?.instanceId === instanceId;
}
