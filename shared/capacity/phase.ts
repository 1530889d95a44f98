/** What a lifecycle state means for a group's size. */
export type Phase = 'pending' | 'in-service' | 'terminating' | 'standby' | 'other';

/**
 * Reads a lifecycle state (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). An instance that
 * is in standby, detached or back in a warm pool does not count towards the desired capacity.
 */
export function phaseOf(lifecycleState: string): Phase {
  if (lifecycleState === 'InService') return 'in-service';
  if (/^Pending(?::|$)/.test(lifecycleState)) return 'pending';
  if (/^Terminat(?:ing|ed)(?::|$)/.test(lifecycleState)) return 'terminating';
  if (/^(?:Entering)?Standby$/.test(lifecycleState)) return 'standby';
  return 'other';
}
