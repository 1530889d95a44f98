import type { Cloud } from '@drover/cloud-sandbox';
import { addGroup, type GroupPlan } from './cloud/furnish.ts';
import { hookName, clusterName as theCluster } from './names.ts';

export const etcdHook = 'drover-etcd';
export const etcdLaunchHook = 'drover-etcd-launch';

export interface EtcdGroupPlan extends Pick<GroupPlan, 'settings' | 'spot' | 'reserved' | 'hook' | 'tags'> {
  /** Defaults to `etcd`; a control plane has API servers on the same instances. */
  readonly role?: 'etcd' | 'control-plane';
  readonly size: number;
  readonly autoScalingGroupName?: string;
  /** Defaults to the cluster that every world has. */
  readonly clusterName?: string;
  readonly heartbeatTimeoutSeconds?: number;
  /** Defaults to both hooks. */
  readonly hooks?: readonly ('launching' | 'terminating')[];
}

/** A group of etcd members with our hooks, as an operator makes it: the hooks exist before the first instance is launched. */
export function addEtcdGroup(world: Cloud, plan: EtcdGroupPlan): void {
  const {
    size,
    autoScalingGroupName = 'etcd',
    heartbeatTimeoutSeconds = 300,
    settings,
    spot,
    reserved,
    hook,
    tags,
  } = plan;
  const { clusterName = theCluster, role = 'etcd', hooks = ['launching', 'terminating'] } = plan;
  const { operations } = world.account.autoScaling;
  addGroup(world, {
    autoScalingGroupName,
    clusterName,
    size: 0,
    role,
    ...(hook && { hook }),
    ...(tags && { tags }),
    ...(settings && { settings }),
    ...(spot && { spot }),
    ...(reserved && { reserved }),
  });
  for (const transition of hooks)
    operations.PutLifecycleHook({
      AutoScalingGroupName: autoScalingGroupName,
      LifecycleHookName: transition === 'launching' ? etcdLaunchHook : etcdHook,
      LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition.toUpperCase()}`,
      HeartbeatTimeout: heartbeatTimeoutSeconds,
      DefaultResult: transition === 'launching' ? 'ABANDON' : 'CONTINUE',
    });
  operations.SetDesiredCapacity({ AutoScalingGroupName: autoScalingGroupName, DesiredCapacity: size });
}

/** A group whose instances run etcd and API servers, with the hooks of etcd and of nodes, as docs/etcd.md describes it. */
export function addBesideGroup(
  world: Cloud,
  {
    size,
    heartbeatTimeoutSeconds = 300,
    ...plan
  }: Pick<EtcdGroupPlan, 'size' | 'autoScalingGroupName' | 'heartbeatTimeoutSeconds' | 'settings'>,
): void {
  const { operations } = world.account.autoScaling;
  const AutoScalingGroupName = plan.autoScalingGroupName ?? 'etcd';
  addEtcdGroup(world, {
    ...plan,
    size: 0,
    role: 'control-plane',
    heartbeatTimeoutSeconds,
    hook: { name: hookName, heartbeatTimeoutSeconds },
  });
  operations.PutLifecycleHook({
    AutoScalingGroupName,
    LifecycleHookName: 'drover-node-joining',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: heartbeatTimeoutSeconds,
    DefaultResult: 'CONTINUE',
  });
  operations.SetDesiredCapacity({ AutoScalingGroupName, DesiredCapacity: size });
}
