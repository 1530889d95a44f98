import type { ObservedMember } from './observed-members.ts';

/** Left of a wait for the removal: for a snapshot, the name servers and failed passes. Of a short wait, half is left. */
const marginSeconds = 1800;

/**
 * When a leaving member can wait for another to join no longer, in epoch milliseconds: its instance goes whether it is a member or
 * not, and a member that goes without its removal counts for the quorum. Infinity while the end of the wait is not known.
 */
export function latestRemovalAt({ instance, trouble }: Pick<ObservedMember, 'instance' | 'trouble'>): number {
  if (instance?.unheld) return -Infinity;
  if (!instance?.waitsOn || trouble?.kind !== 'waiting') return Infinity;
  const { globalTimeoutSeconds } = instance.waitsOn;
  return (trouble.since + globalTimeoutSeconds - Math.min(marginSeconds, globalTimeoutSeconds / 2)) * 1000;
}
