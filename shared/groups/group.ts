/** An Auto Scaling group as Drover needs to see it. */
export interface AutoScalingGroup {
  readonly autoScalingGroupName: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly instances: readonly GroupMember[];
  readonly targetGroupArns: readonly string[];
  /** RetentionTriggers.TerminateHookAbandon = retain: an abandoned termination ends in Terminating:Retained. */
  readonly retainsAbandoned: boolean;
  /** The zones in which it may launch. */
  readonly availabilityZones?: readonly string[];
  /** The processes of Auto Scaling that are suspended in it, such as `AZRebalance`. */
  readonly suspendedProcesses?: readonly string[];
  /** MinSize, MaxSize and the desired capacity are units, of which an instance may have several: types have weights, or vCPUs or memory count. */
  readonly countsUnits?: true;
}

/** An instance as its group lists it; `lifecycleState` as Auto Scaling spells it, e.g. `Terminating:Wait`. */
export interface GroupMember {
  readonly instanceId: string;
  readonly lifecycleState: string;
  readonly availabilityZone: string;
  readonly healthy: boolean;
  /** A scale-in does not choose it. Auto Scaling's own health checks replace it all the same. */
  readonly protectedFromScaleIn?: boolean;
  /** The units of capacity that it counts for, where they are not one. */
  readonly weight?: number;
}

export interface GroupInstance extends GroupMember {
  readonly autoScalingGroupName: string;
}

export interface LifecycleHook {
  readonly lifecycleHookName: string;
  readonly transition: 'launching' | 'terminating';
  readonly heartbeatTimeoutSeconds: number;
  readonly globalTimeoutSeconds: number;
  readonly defaultResult: LifecycleActionResult;
}

/** Whether a process of Auto Scaling is suspended in a group. */
export const isSuspended = (
  { suspendedProcesses = [] }: Pick<AutoScalingGroup, 'suspendedProcesses'>,
  process: 'Launch' | 'Terminate' | 'ReplaceUnhealthy' | 'AZRebalance',
): boolean => suspendedProcesses.includes(process);

/** The hook of this name on terminating instances, among the hooks of a group. */
export const findTerminatingHook = (
  hooks: readonly LifecycleHook[] | undefined,
  name: string,
): LifecycleHook | undefined =>
  hooks?.find((hook) => hook.transition === 'terminating' && hook.lifecycleHookName === name);

/** The hook of this name on launching instances, among the hooks of a group. */
export const findLaunchingHook = (
  hooks: readonly LifecycleHook[] | undefined,
  name: string,
): LifecycleHook | undefined =>
  hooks?.find((hook) => hook.transition === 'launching' && hook.lifecycleHookName === name);

export type LifecycleActionResult = 'CONTINUE' | 'ABANDON';

/** One hook's wait for one instance. Without a token Auto Scaling finds it by the instance. */
export interface LifecycleAction {
  readonly autoScalingGroupName: string;
  readonly lifecycleHookName: string;
  readonly instanceId: string;
  readonly lifecycleActionToken?: string;
}

/** An EC2 instance, as far as passes need it. */
export interface Ec2Instance {
  readonly instanceId: string;
  readonly state: 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';
  readonly privateDnsName?: string;
  readonly privateIpAddress?: string;
  readonly ipv6Address?: string;
  readonly availabilityZone?: string;
  /** Such as `m5.large`. */
  readonly instanceType?: string | undefined;
  /** A Spot Instance. */
  readonly spot: boolean;
  /** Epoch milliseconds of the launch. */
  readonly launchedAt?: number;
  readonly tags: Readonly<Record<string, string>>;
}

const clusterTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`;

export type Role = 'worker' | 'control-plane' | 'etcd';

/**
 * Whether the group is this cluster's to manage: tagged `kubernetes.io/cluster/<cluster>` as `owned` or `shared`, and with
 * a `drover.dev/role`. Any other group is left alone.
 */
export function isManaged(group: Pick<AutoScalingGroup, 'tags'>, clusterName: string): boolean {
  const ownership = group.tags[clusterTag(clusterName)];
  return (ownership === 'owned' || ownership === 'shared') && roleOf(group) !== undefined;
}

/** Instances of a control plane and of etcd leave one at a time, each once the others serve: together they are the quorum. */
export function leavesOneAtATime(group: Pick<AutoScalingGroup, 'tags'>): boolean {
  const role = roleOf(group);
  return role === 'control-plane' || role === 'etcd';
}

/** The group's role, or undefined where the tag is missing or says something unknown. */
export function roleOf(group: Pick<AutoScalingGroup, 'tags'>): Role | undefined {
  const role = group.tags['drover.dev/role'];
  return role === 'worker' || role === 'control-plane' || role === 'etcd' ? role : undefined;
}
