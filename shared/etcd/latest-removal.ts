import type { ObservedMember } from './observed-members.ts';

/** How long before the end of its wait a member is removed: time for a snapshot, the name servers and failed passes. At most half of the wait. */
const marginSeconds = 1800;

/**
 * When a leaving member cannot wait any longer for another one to join, in epoch milliseconds. Its instance terminates whether it is a
 * member or not, and a member that was not removed still counts for the quorum. Infinity while the end of the wait is not known.
 */
export function latestRemovalAt({ instance, trouble }: Pick<ObservedMember, 'instance' | 'trouble'>): number {
  if (instance?.unheld) return -Infinity;
  if (!instance?.waitsOn || trouble?.kind !== 'waiting') return Infinity;
  const { globalTimeoutSeconds } = instance.waitsOn;
  return (trouble.since + globalTimeoutSeconds - Math.min(marginSeconds, globalTimeoutSeconds / 2)) * 1000;
}
