import type { AutoScalingGroup, GroupInstance, GroupMember, LifecycleHook } from '../lifecycle/group.ts';
import { globalTimeoutSecondsOf } from '../lifecycle/hook-timing.ts';
import type { groupShape, hookShape, instanceShape } from './api/auto-scaling-api.ts';
import type { ValueOf } from './api/shape.ts';

type GroupAnswer = ValueOf<typeof groupShape>;
type InstanceAnswer = ValueOf<typeof instanceShape>;

const healthy = (status: string | undefined): boolean => status?.toLowerCase() !== 'unhealthy';

const toMember = (instance: GroupAnswer['Instances'][number]): GroupMember => ({
  instanceId: instance.InstanceId ?? '',
  lifecycleState: instance.LifecycleState ?? '',
  availabilityZone: instance.AvailabilityZone ?? '',
  healthy: healthy(instance.HealthStatus),
});

export const toGroupInstance = (details: InstanceAnswer): GroupInstance => ({
  instanceId: details.InstanceId ?? '',
  autoScalingGroupName: details.AutoScalingGroupName ?? '',
  lifecycleState: details.LifecycleState ?? '',
  availabilityZone: details.AvailabilityZone ?? '',
  healthy: healthy(details.HealthStatus),
});

export const toGroup = (group: GroupAnswer): AutoScalingGroup => ({
  autoScalingGroupName: group.AutoScalingGroupName ?? '',
  tags: Object.fromEntries(group.Tags.map((tag) => [tag.Key ?? '', tag.Value ?? ''])),
  minSize: group.MinSize ?? 0,
  maxSize: group.MaxSize ?? 0,
  desiredCapacity: group.DesiredCapacity ?? 0,
  instances: group.Instances.map(toMember),
  targetGroupArns: group.TargetGroupARNs,
  retainsAbandoned: group.InstanceLifecyclePolicy?.RetentionTriggers?.TerminateHookAbandon === 'retain',
});

/** GlobalTimeout as AWS says it, or by its rule where an answer lacks it: 48 hours or 100 heartbeats, the smaller. */
export const toHook = (hook: ValueOf<typeof hookShape>): LifecycleHook => {
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
