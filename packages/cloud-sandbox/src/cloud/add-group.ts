import type { CreateAutoScalingGroupType } from '@aws-sdk/client-auto-scaling';
import type { _InstanceType } from '@aws-sdk/client-ec2';
import type { Account } from './account.ts';

export interface GroupPlan {
  readonly autoScalingGroupName: string;
  /** Its instances join this cluster: they carry the tag `kubernetes.io/cluster/<name>`. */
  readonly clusterName: string;
  readonly size: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly spot?: boolean;
  /** Its instances run in such a reservation, which ends. */
  readonly reserved?: 'capacity-block' | 'interruptible-capacity-reservation';
  /** Decides what its nodes have room for; default: m5.large, which has room for 29 pods. */
  readonly instanceType?: _InstanceType;
  /** A hook on termination; absent: none. */
  readonly hook?: {
    readonly name: string;
    readonly heartbeatTimeoutSeconds: number;
    readonly defaultResult?: 'CONTINUE' | 'ABANDON';
  };
  /** The name of the instance profile of its instances, and of its role. */
  readonly instanceProfile?: string;
  readonly settings?: Partial<CreateAutoScalingGroupType>;
}

/** Makes an Auto Scaling group as an operator does: a launch template, a group over all subnets, and a hook on it. */
export function addGroup({ ec2, autoScaling }: Pick<Account, 'ec2' | 'autoScaling'>, plan: GroupPlan): void {
  const { autoScalingGroupName, clusterName, size, hook, instanceType = 'm5.large' } = plan;
  const marketType = plan.spot ? 'spot' : plan.reserved;
  ec2.operations.CreateLaunchTemplate({
    LaunchTemplateName: autoScalingGroupName,
    LaunchTemplateData: {
      InstanceType: instanceType,
      ImageId: 'ami-0123456789abcdef0',
      ...(plan.instanceProfile && { IamInstanceProfile: { Name: plan.instanceProfile } }),
      ...(marketType && { InstanceMarketOptions: { MarketType: marketType } }),
    },
  });
  const tags = { [`kubernetes.io/cluster/${clusterName}`]: 'owned', ...plan.tags };
  autoScaling.operations.CreateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroupName,
    LaunchTemplate: { LaunchTemplateName: autoScalingGroupName, Version: '$Latest' },
    MinSize: 0,
    MaxSize: Math.max(10, size * 2),
    DesiredCapacity: size,
    VPCZoneIdentifier: ec2.instances
      .subnets()
      .map(({ subnetId }) => subnetId)
      .join(','),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value, PropagateAtLaunch: true })),
    ...plan.settings,
  });
  if (hook === undefined) return;
  autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: autoScalingGroupName,
    LifecycleHookName: hook.name,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: hook.heartbeatTimeoutSeconds,
    DefaultResult: hook.defaultResult ?? 'CONTINUE',
  });
}
