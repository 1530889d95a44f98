import type {
  AutoScalingGroup as GroupAnswer,
  LifecycleHook as HookAnswer,
  AutoScalingInstanceDetails as InstanceAnswer,
  Instance as MemberAnswer,
} from '@aws-sdk/client-auto-scaling';
import type { AutoScalingGroup, GroupInstance, GroupMember, LifecycleHook } from '../groups/group.ts';
import { globalTimeoutSecondsOf } from '../groups/hook-timing.ts';
import { type AnswerMetadata, required } from './unreadable-answer.ts';

const healthy = (status: string | undefined): boolean => status?.toLowerCase() !== 'unhealthy';

/** AWS writes the weight of an instance as text, and only where its group has weights. */
function weightOf({ WeightedCapacity }: Pick<MemberAnswer, 'WeightedCapacity'>): Pick<GroupMember, 'weight'> {
  const weight = Number(WeightedCapacity ?? 1);
  return weight > 1 ? { weight } : {};
}

const toMember = (instance: MemberAnswer): GroupMember => ({
  instanceId: instance.InstanceId ?? '',
  lifecycleState: instance.LifecycleState ?? '',
  availabilityZone: instance.AvailabilityZone ?? '',
  healthy: healthy(instance.HealthStatus),
  ...(instance.ProtectedFromScaleIn && { protectedFromScaleIn: true }),
  ...weightOf(instance),
});

export const toGroupInstance = (details: InstanceAnswer): GroupInstance => ({
  instanceId: details.InstanceId ?? '',
  autoScalingGroupName: details.AutoScalingGroupName ?? '',
  lifecycleState: details.LifecycleState ?? '',
  availabilityZone: details.AvailabilityZone ?? '',
  healthy: healthy(details.HealthStatus),
  ...(details.ProtectedFromScaleIn && { protectedFromScaleIn: true }),
  ...weightOf(details),
});

/**
 * A group of the answer with this metadata.
 *
 * @throws UnreadableAnswerError where AWS says nothing of its instances or tags.
 */
export const toGroup = (group: GroupAnswer, $metadata: AnswerMetadata): AutoScalingGroup => ({
  autoScalingGroupName: group.AutoScalingGroupName ?? '',
  tags: Object.fromEntries(
    required(group.Tags, { name: 'Tags', $metadata }).map((tag) => [tag.Key ?? '', tag.Value ?? '']),
  ),
  minSize: group.MinSize ?? 0,
  maxSize: group.MaxSize ?? 0,
  desiredCapacity: group.DesiredCapacity ?? 0,
  instances: required(group.Instances, { name: 'Instances', $metadata }).map(toMember),
  targetGroupArns: group.TargetGroupARNs ?? [],
  retainsAbandoned: group.InstanceLifecyclePolicy?.RetentionTriggers?.TerminateHookAbandon === 'retain',
  availabilityZones: group.AvailabilityZones ?? [],
  suspendedProcesses: (group.SuspendedProcesses ?? []).flatMap(({ ProcessName }) => ProcessName ?? []),
  ...(countsUnits(group) && { countsUnits: true }),
});

/**
 * Whether the sizes of a group are units: its types have weights, or it selects types by vCPUs or memory.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups-instance-weighting.html
 */
function countsUnits({
  DesiredCapacityType: type,
  MixedInstancesPolicy,
  Instances = [],
}: GroupAnswer): boolean {
  const overrides = MixedInstancesPolicy?.LaunchTemplate?.Overrides ?? [];
  const weights = [...overrides, ...Instances].map(({ WeightedCapacity }) => Number(WeightedCapacity ?? 1));
  return (type !== undefined && type !== 'units') || weights.some((weight) => weight > 1);
}

/** GlobalTimeout as AWS says it, or by its rule where an answer lacks it: 48 hours or 100 heartbeats, the smaller. */
export const toHook = (hook: HookAnswer): LifecycleHook => {
  const heartbeatTimeoutSeconds = hook.HeartbeatTimeout ?? 3600;
  return {
    lifecycleHookName: hook.LifecycleHookName ?? '',
    transition:
      hook.LifecycleTransition === 'autoscaling:EC2_INSTANCE_TERMINATING' ? 'terminating' : 'launching',
    heartbeatTimeoutSeconds,
    globalTimeoutSeconds: hook.GlobalTimeout ?? globalTimeoutSecondsOf(heartbeatTimeoutSeconds),
    defaultResult: hook.DefaultResult === 'CONTINUE' ? 'CONTINUE' : 'ABANDON',
  };
};
