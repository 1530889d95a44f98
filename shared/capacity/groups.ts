import type { AutoScalingGroup, EksNodegroup, LifecycleHook } from '../groups/group.ts';
import type { Launch } from './schedules/plan.ts';

/** MinSize and MaxSize of a group. */
export type Bounds = Pick<AutoScalingGroup, 'minSize' | 'maxSize'>;

/** The desired capacity of a group, with the MaxSize that it needs if that has to change. */
interface Capacity {
  readonly desiredCapacity: number;
  readonly maxSize?: number;
}

/** What EKS says of a managed node group. `status` as EKS spells it, such as `ACTIVE`; a health issue is its code and EKS's words. */
export interface NodegroupState extends EksNodegroup {
  readonly status: string;
  readonly healthIssues: readonly string[];
}

/**
 * Reads and sets the capacity of Auto Scaling groups; that of EKS's managed node groups is set through EKS. Reads are not cached: a person who has just changed a group must see the
 * change. Every method rejects with a GroupsError if AWS refuses for a reason that a caller can act on.
 */
export interface Groups {
  /** Every group with this cluster's tag, of any role. */
  listGroups(): Promise<readonly AutoScalingGroup[]>;
  /** Undefined if there is no such group. */
  describeGroup(autoScalingGroupName: string): Promise<AutoScalingGroup | undefined>;
  readonly describeHooks: (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;
  /** A page of the activities of a group, the newest first. Auto Scaling keeps them for six weeks. */
  listActivities(request: ActivitiesRequest): Promise<ActivitiesPage>;
  /** Why the newest launch failed, in AWS's words, which name the instance type and the zone; undefined where it did not. */
  readFailedLaunch(autoScalingGroupName: string): Promise<string | undefined>;
  /** The newest successful launches. */
  readLaunches(autoScalingGroupName: string): Promise<readonly Launch[]>;
  /** What EKS says of the managed node group that a group belongs to; undefined where EKS does not manage it. */
  readNodegroup(group: AutoScalingGroup): Promise<NodegroupState | undefined>;
  /** Sets the desired capacity, and in the same call MaxSize if given. Ignores cooldowns, because a person asked for the change. */
  setCapacity(group: AutoScalingGroup, capacity: Capacity): Promise<void>;
  /**
   * Sets MinSize, MaxSize or both in one call, and no desired capacity. Auto Scaling moves that within the bounds itself, which is safer
   * than to write a number that an autoscaler may have changed since it was read. EKS does not: a MinSize above the desired capacity is
   * written as that, too.
   */
  setBounds(group: AutoScalingGroup, bounds: Partial<Bounds>): Promise<void>;
  /** Auto Scaling holds the instance on the hooks of its group first. Rejects with `gone` where no group has it any more. */
  terminateInstance(instanceId: string, options: TerminationOptions): Promise<void>;
}

export interface TerminationOptions {
  /** Whether the desired capacity falls by one. Else Auto Scaling launches another instance. */
  readonly lowersDesiredCapacity: boolean;
}

export interface ActivitiesRequest {
  readonly autoScalingGroupName: string;
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

export interface ActivitiesPage {
  readonly activities: readonly GroupActivity[];
  readonly nextCursor?: string;
}

/** A launch, a termination or another activity of a group, in Auto Scaling's words. Times are ISO 8601 in UTC. */
export interface GroupActivity {
  readonly activityId: string;
  /** As Auto Scaling spells it, such as `Successful` or `Failed`. */
  readonly status: string;
  readonly description: string;
  readonly cause: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Why it failed. */
  readonly statusMessage?: string;
}

/**
 * Why Auto Scaling or EKS refused:
 * - `busy`: it is changing this group, and will accept the call later;
 * - `throttled`: too many calls in this account and region;
 * - `unavailable`: no answer, or a server error: the change may have been made;
 * - `gone`: the group does not exist;
 * - `invalid`: it does not accept the value;
 * - `invalid-cursor`: it does not know the cursor, or does no longer;
 * - `denied`: the role lacks the permission.
 */
export type GroupsErrorCode =
  | 'busy'
  | 'throttled'
  | 'unavailable'
  | 'gone'
  | 'invalid'
  | 'invalid-cursor'
  | 'denied';

/** A refusal of Auto Scaling or EKS; the error of AWS is the cause. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
  readonly code: GroupsErrorCode;

  constructor(code: GroupsErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** What is not as usual with a managed node group of EKS, for an operator. Empty where EKS calls it active and healthy. Pure. */
export const nodegroupWords = ({
  nodegroupName,
  status,
  healthIssues,
}: NodegroupState): readonly string[] => [
  ...(status === 'ACTIVE' ? [] : [`EKS calls the node group ${nodegroupName} ${status}`]),
  ...healthIssues.map((issue) => `EKS says of the node group ${nodegroupName}: ${issue}`),
];
