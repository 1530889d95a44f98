/** What a lifecycle state means for the size of a group. */
export type Phase = 'pending' | 'in-service' | 'terminating' | 'standby' | 'other';

/**
 * Reads a lifecycle state (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). Instances in standby,
 * detached, or returned to a warm pool do not count towards the desired capacity.
 */
export function phaseOf(lifecycleState: string): Phase {
  if (lifecycleState === 'InService') return 'in-service';
  if (/^Pending(?::|$)/.test(lifecycleState)) return 'pending';
  // It counts towards the desired capacity, and comes back.
  if (/^(?:ReplacingRootVolume(?::|$)|RootVolumeReplaced$)/.test(lifecycleState)) return 'pending';
  if (/^Terminat(?:ing|ed)(?::|$)/.test(lifecycleState)) return 'terminating';
  if (/^(?:Entering)?Standby$/.test(lifecycleState)) return 'standby';
  return 'other';
}
