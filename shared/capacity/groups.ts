import type { AutoScalingGroup, EksNodegroup, LifecycleHook } from '../groups/group.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import type { Launch } from './schedules/measured-lead.ts';

/** MinSize and MaxSize of a group. */
export type Bounds = Pick<AutoScalingGroup, 'minSize' | 'maxSize'>;

/** The desired capacity of a group, and its new MaxSize if that has to change. */
interface Capacity {
  readonly desiredCapacity: number;
  readonly maxSize?: number;
}

/** What EKS reports about a managed node group. `status` is as EKS spells it, such as `ACTIVE`; a health issue is its code and message. */
export interface NodegroupState extends EksNodegroup {
  readonly status: string;
  readonly healthIssues: readonly string[];
}

/**
 * Reads and sets the capacity of Auto Scaling groups. The capacity of EKS's managed node groups is set through EKS. Reads are not cached: an
 * operator who has just changed a group must see the change. Every method rejects with a GroupsError if AWS refuses for a reason that a
 * caller can act on.
 */
export interface Groups {
  /** Every group with this cluster's tag, of any role. */
  listGroups(): Promise<readonly AutoScalingGroup[]>;
  /** Undefined if there is no such group. */
  describeGroup(autoScalingGroupName: string): Promise<AutoScalingGroup | undefined>;
  readonly describeHooks: (autoScalingGroupName: string) => Promise<readonly LifecycleHook[]>;
  /** The instances of the warm pools of these groups that wait on hooks. A group without a pool costs no call. */
  readWarmPoolWaits(groups: readonly AutoScalingGroup[]): Promise<readonly WarmPoolWait[]>;
  /** A page of the activities of a group, the newest first. Auto Scaling keeps them for six weeks. */
  listActivities(request: ActivitiesRequest): Promise<ActivitiesPage>;
  /** AWS's message about the newest launch if it failed, with the instance type and the zone; undefined if it did not fail. */
  readFailedLaunch(autoScalingGroupName: string): Promise<string | undefined>;
  /** The newest successful launches. */
  readLaunches(autoScalingGroupName: string): Promise<readonly Launch[]>;
  /** The managed node group of EKS that a group belongs to; undefined if EKS does not manage the group. */
  readNodegroup(group: AutoScalingGroup): Promise<NodegroupState | undefined>;
  /** Sets the desired capacity, and in the same call MaxSize if given. Ignores cooldowns, because an operator asked for the change. */
  setCapacity(group: AutoScalingGroup, capacity: Capacity): Promise<void>;
  /**
   * Sets MinSize, MaxSize or both in one call, and does not set the desired capacity. Auto Scaling moves it within the bounds itself, which
   * is safer than writing a number that an autoscaler may have changed since it was read. EKS does not do that, so a desired capacity below
   * MinSize is raised in the same call.
   */
  setBounds(group: AutoScalingGroup, bounds: Partial<Bounds>): Promise<void>;
  /** Auto Scaling first runs the lifecycle hooks of the group. Rejects with `gone` if the instance is not in any group any more. */
  terminateInstance(instanceId: string, options: TerminationOptions): Promise<void>;
}

export interface TerminationOptions {
  /** Whether the desired capacity is lowered by one. Otherwise Auto Scaling launches another instance. */
  readonly lowersDesiredCapacity: boolean;
}

export interface ActivitiesRequest {
  readonly autoScalingGroupName: string;
  readonly limit: number;
  /** `nextCursor` of the previous page. */
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
 * - `unavailable`: no response, or a server error: the change may have been made;
 * - `gone`: the group does not exist;
 * - `invalid`: it does not accept the value;
 * - `invalid-cursor`: the cursor is unknown or has expired;
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

/** Statuses of a node group in which EKS refuses another update. */
const busyStatuses: ReadonlySet<string> = new Set(['CREATING', 'UPDATING', 'DELETING']);

export const busyMessage = (service: string): string =>
  `${service} is in the middle of something with this group; ask again later`;

/**
 * Refuses a change of capacity as AWS would, without making it.
 *
 * @throws GroupsError
 */
export async function checkNotBusy(
  { readNodegroup }: Pick<Groups, 'readNodegroup'>,
  group: AutoScalingGroup,
): Promise<void> {
  const nodegroup = await readNodegroup(group);
  if (nodegroup !== undefined && busyStatuses.has(nodegroup.status))
    throw new GroupsError('busy', busyMessage('EKS'));
  if (group.isBeingDeleted) throw new GroupsError('busy', busyMessage('Auto Scaling'));
}

/** A refusal of Auto Scaling or EKS; the error of AWS is the cause. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
  readonly code: GroupsErrorCode;

  constructor(code: GroupsErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The problems of a managed node group of EKS. Empty if EKS reports it as active and healthy. Pure. */
export const nodegroupWords = ({
  nodegroupName,
  status,
  healthIssues,
}: NodegroupState): readonly string[] => [
  ...(status === 'ACTIVE' ? [] : [`EKS reports the node group ${nodegroupName} as ${status}`]),
  ...healthIssues.map((issue) => `EKS reports about the node group ${nodegroupName}: ${issue}`),
];
