import type { AutoScalingGroup } from '../lifecycle/group.ts';

/**
 * Reads and sets the capacity of Auto Scaling groups. Reads are not cached: a person who has just changed a group must see the
 * change. Every method rejects with a GroupsError if Auto Scaling refuses for a reason that a caller can act on.
 */
export interface Groups {
  /** Every group with this cluster's tag, of any role. */
  listGroups(): Promise<readonly AutoScalingGroup[]>;
  /** Undefined if there is no such group. */
  describeGroup(autoScalingGroupName: string): Promise<AutoScalingGroup | undefined>;
  /** Ignores cooldowns, because a person asked for the change. */
  setDesiredCapacity(autoScalingGroupName: string, desiredCapacity: number): Promise<void>;
}

/**
 * Why Auto Scaling refused:
 * - `busy`: it is changing this group, and will accept the call later;
 * - `throttled`: too many calls in this account and region;
 * - `unavailable`: no answer, or a server error: the change may have been made;
 * - `gone`: the group does not exist;
 * - `invalid`: it does not accept the value;
 * - `denied`: the role lacks the permission.
 */
export type GroupsErrorCode = 'busy' | 'throttled' | 'unavailable' | 'gone' | 'invalid' | 'denied';

/** A refusal of Auto Scaling; the error of AWS is the cause. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
  readonly code: GroupsErrorCode;

  constructor(code: GroupsErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
