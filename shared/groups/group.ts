import { shellWord } from '../base/shell-words.ts';

/** An Auto Scaling group, as Drover uses it. */
export interface AutoScalingGroup {
  readonly autoScalingGroupName: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
  readonly instances: readonly GroupMember[];
  readonly targetGroupArns: readonly string[];
  /** RetentionTriggers.TerminateHookAbandon is `retain`: after ABANDON a terminating instance stays in Terminating:Retained. */
  readonly retainsAbandoned: boolean;
  /** The zones in which the group may launch. */
  readonly availabilityZones?: readonly string[];
  /** The suspended processes of the group, such as `AZRebalance`. */
  readonly suspendedProcesses?: readonly string[];
  /** MinSize, MaxSize and the desired capacity count units, of which an instance may have several: weights, vCPUs or memory. */
  readonly countsUnits?: true;
  /** ARC may shift the group away from a zone. Meanwhile Auto Scaling replaces no Unhealthy instance there. */
  readonly ignoresUnhealthyInShift?: true;
  /** Its instance maintenance policy has a minimum of 100 %: the replacement of an Unhealthy instance is in service before that one leaves. */
  readonly launchesBeforeTerminating?: true;
  /** Auto Scaling deletes the group, and accepts no change of it. */
  readonly isBeingDeleted?: true;
  /** DescribeAutoScalingGroups does not list the instances of the pool. */
  readonly hasWarmPool?: true;
  readonly launchSource?: LaunchSource;
}

/** The source of the instances that a group launches. */
export interface LaunchSource {
  /** Undefined if the group has a launch configuration. */
  readonly template?: LaunchTemplateVersion;
  /** Undefined if the group has no mixed instances policy. */
  readonly overrides?: readonly LaunchOverride[];
  /** Changes with anything in the overrides; undefined without any. */
  readonly overridesDigest?: string;
}

/** A version of a launch template, by the id of the template or else its name. */
export interface LaunchTemplateVersion {
  readonly nameOrId: string;
  /** A number, `$Latest` or `$Default`. */
  readonly version: string;
}

/** What a mixed instances policy varies: an instance type, or attributes by which EC2 selects types, and perhaps another template. */
export interface LaunchOverride {
  readonly instanceType?: string;
  readonly selectsByAttributes?: true;
  readonly template?: LaunchTemplateVersion;
  /** Instead of the image of the template. */
  readonly imageId?: string;
}

/** An instance as its group lists it. */
export interface GroupMember {
  readonly instanceId: string;
  /** As Auto Scaling spells it, such as `Terminating:Wait`. */
  readonly lifecycleState: string;
  readonly availabilityZone: string;
  readonly healthy: boolean;
  /** A scale-in does not choose this instance. Health checks of Auto Scaling still replace it. */
  readonly protectedFromScaleIn?: boolean;
  /** How many units of capacity the instance counts for. Defaults to 1. */
  readonly weight?: number;
  /** What the instance was launched from. Undefined with a launch configuration. */
  readonly launchTemplate?: { readonly templateId: string; readonly version: number };
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
  /** The ARN of the queue or topic that it notifies beside EventBridge. */
  readonly notificationTarget?: string;
  /** The role with which it notifies. */
  readonly roleArn?: string;
  /** A text of its operator in each notification. */
  readonly notificationMetadata?: string;
}

/** Whether this process is suspended in the group. */
export const isSuspended = (
  { suspendedProcesses = [] }: Pick<AutoScalingGroup, 'suspendedProcesses'>,
  process: 'Launch' | 'Terminate' | 'ReplaceUnhealthy' | 'AZRebalance' | 'ScheduledActions',
): boolean => suspendedProcesses.includes(process);

/** The hook of this name for terminating instances. */
export const findTerminatingHook = (
  hooks: readonly LifecycleHook[] | undefined,
  name: string,
): LifecycleHook | undefined =>
  hooks?.find((hook) => hook.transition === 'terminating' && hook.lifecycleHookName === name);

/** The hook of this name for launching instances. */
export const findLaunchingHook = (
  hooks: readonly LifecycleHook[] | undefined,
  name: string,
): LifecycleHook | undefined =>
  hooks?.find((hook) => hook.transition === 'launching' && hook.lifecycleHookName === name);

export type LifecycleActionResult = 'CONTINUE' | 'ABANDON';

/** The wait of one instance on one hook. Without a token, Auto Scaling finds the wait by the instance. */
export interface LifecycleAction {
  readonly autoScalingGroupName: string;
  readonly lifecycleHookName: string;
  readonly instanceId: string;
  readonly lifecycleActionToken?: string;
}

/** The tag with which a group belongs to a cluster. The permissions of Drover's roles depend on it. */
export const clusterTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`;

export type Role = 'worker' | 'control-plane' | 'etcd';

/**
 * Whether Drover manages the group: its tag `kubernetes.io/cluster/<cluster>` is `owned` or `shared`, and it has a known
 * `drover.dev/role`. Any other group is left alone.
 */
export function isManaged(group: Pick<AutoScalingGroup, 'tags'>, clusterName: string): boolean {
  return isTagged(group, clusterName) && roleOf(group) !== undefined;
}

/** Whether the group has the tag of the cluster, with which AWS permits Drover's calls. */
export function isTagged(group: Pick<AutoScalingGroup, 'tags'>, clusterName: string): boolean {
  const ownership = group.tags[clusterTag(clusterName)];
  return ownership === 'owned' || ownership === 'shared';
}

/** The other clusters whose tag the group has too, so that two deployments may manage it. */
export const otherClustersOf = (
  { tags }: Pick<AutoScalingGroup, 'tags'>,
  clusterName: string,
): readonly string[] =>
  Object.keys(tags)
    .filter((key) => key.startsWith(clusterTag('')))
    .map((key) => key.slice(clusterTag('').length))
    .filter((other) => other !== '' && other !== clusterName && isTagged({ tags }, other));

/** The command that restores the tags which a group lacks to be managed. Only the operator knows its role, and which other tags it had. */
export function restoreTagsCommand(
  { autoScalingGroupName, tags }: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>,
  clusterName: string,
): string {
  const lacking = [
    ...(isTagged({ tags }, clusterName) ? [] : [`Key=${clusterTag(clusterName)},Value=owned`]),
    ...(roleOf({ tags }) === undefined ? ['Key=drover.dev/role,Value=ROLE'] : []),
  ];
  const group = `ResourceId=${autoScalingGroupName},ResourceType=auto-scaling-group,PropagateAtLaunch=false`;
  const words = lacking.map((tag) => shellWord(`${group},${tag}`));
  return `aws autoscaling create-or-update-tags --tags ${words.join(' ')}`;
}

/** Instances of a control plane and of etcd form a quorum, so they leave one at a time, and only if all others serve. */
export function leavesOneAtATime(group: Pick<AutoScalingGroup, 'tags'>): boolean {
  const role = roleOf(group);
  return role === 'control-plane' || role === 'etcd';
}

/** The role of the group; undefined if its tag is missing or unknown. */
export function roleOf(group: Pick<AutoScalingGroup, 'tags'>): Role | undefined {
  const role = group.tags['drover.dev/role'];
  return role === 'worker' || role === 'control-plane' || role === 'etcd' ? role : undefined;
}

/** How much of the desired capacity these instances are: their number, or the sum of their weights if the group counts units. */
export const unitsOf = (members: readonly Pick<GroupMember, 'weight'>[]): number =>
  members.reduce((sum, { weight = 1 }) => sum + weight, 0);

/** Why Drover cannot convert a number of nodes to a size of this group; undefined if its sizes are numbers of instances. */
export const whyUnits = ({ countsUnits }: Pick<AutoScalingGroup, 'countsUnits'>): string | undefined =>
  countsUnits
    ? 'the group counts units of capacity (weights, vCPUs or memory), so it has no size in nodes: set its MinSize, or use a group without weights'
    : undefined;

/** A managed node group of EKS. */
export interface EksNodegroup {
  readonly eksClusterName: string;
  readonly nodegroupName: string;
}

/**
 * The managed node group of EKS that this group belongs to, by the tags that EKS sets; undefined if EKS does not manage the group.
 * Only EKS may change its sizes: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html
 */
export function eksNodegroupOf({ tags }: Pick<AutoScalingGroup, 'tags'>): EksNodegroup | undefined {
  const { 'eks:cluster-name': eksClusterName, 'eks:nodegroup-name': nodegroupName } = tags;
  return nodegroupName === undefined ? undefined : { eksClusterName: eksClusterName ?? '', nodegroupName };
}
