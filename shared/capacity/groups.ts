import type { AutoScalingGroup } from '../lifecycle/group.ts';

/**
 * Auto Scaling groups, as their capacity is read and set. Both reads are made anew for each call: a person who has just
 * changed a group must not be shown what it was before. Every method rejects with a GroupsError where Auto Scaling
 * refuses for a reason that a caller can act on.
 */
export interface Groups {
  /** Every group that carries this cluster's tag, of any role. */
  listGroups(): Promise<readonly AutoScalingGroup[]>;
  /** Undefined when there is no such group. */
  describeGroup(autoScalingGroupName: string): Promise<AutoScalingGroup | undefined>;
  /** Does not honour cooldowns: a person's word stands above them. */
  setDesiredCapacity(autoScalingGroupName: string, desiredCapacity: number): Promise<void>;
}

/**
 * Why Auto Scaling did not do it:
 * - `busy`: it is in the middle of something with this group, and will take the call later;
 * - `throttled`: too many calls in this account and region;
 * - `unavailable`: no answer, or one of a service that is ill: what was asked for may have been done;
 * - `gone`: there is no such group (any more);
 * - `invalid`: it does not take the value;
 * - `denied`: the role may not.
 */
export type GroupsErrorCode = 'busy' | 'throttled' | 'unavailable' | 'gone' | 'invalid' | 'denied';

/** A refusal of Auto Scaling in our words; the SDK's error is the cause. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
  readonly code: GroupsErrorCode;

  constructor(code: GroupsErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
