import type { AutoScalingGroup, Instance } from '@aws-sdk/client-auto-scaling';
import type { HookWait, SimulatedInstance } from '@drover/cloud-sandbox/aws';
import type { GroupView, InstanceView, NodeView, PassView } from './state.ts';

/** What the rest of the cloud knows of an instance. */
export interface AroundInstances {
  readonly ec2Instance: (instanceId: string) => SimulatedInstance | undefined;
  readonly waits: ReadonlyMap<string, readonly HookWait[]>;
  readonly nodes: ReadonlyMap<string, NodeView>;
  /** The newest first. */
  readonly passes: readonly PassView[];
}

/** A group of DescribeAutoScalingGroups, its warm pool's instances (of DescribeWarmPool) after its own. */
export function groupView(
  group: AutoScalingGroup,
  warm: readonly Instance[],
  around: AroundInstances,
): GroupView {
  const instances = [...(group.Instances ?? []), ...warm].map((instance) => instanceView(instance, around));
  return {
    autoScalingGroupName: group.AutoScalingGroupName ?? '',
    role: group.Tags?.find(({ Key }) => Key === 'drover.dev/role')?.Value,
    minSize: group.MinSize ?? 0,
    maxSize: group.MaxSize ?? 0,
    desiredCapacity: group.DesiredCapacity ?? 0,
    inService: instances.filter(({ lifecycleState }) => lifecycleState === 'InService').length,
    instances,
  };
}

function instanceView(
  instance: Instance,
  { ec2Instance, waits, nodes, passes }: AroundInstances,
): InstanceView {
  const instanceId = instance.InstanceId ?? '';
  const machine = ec2Instance(instanceId);
  const node = nodes.get(instanceId);
  const joining = isLaunching(instance)
    ? passes.find(({ work, subject }) => work === 'node-joining' && subject === instanceId)?.reason
    : undefined;
  return {
    instanceId,
    availabilityZone: instance.AvailabilityZone ?? '',
    instanceType: instance.InstanceType ?? '',
    market: machine?.lifecycle ?? 'on-demand',
    lifecycleState: instance.LifecycleState ?? '',
    healthy: instance.HealthStatus === 'Healthy',
    ec2State: machine?.state ?? 'terminated',
    waits: (waits.get(instanceId) ?? []).map(({ lifecycleHookName, heartbeatTimeoutSeconds, expiresAt }) => ({
      lifecycleHookName,
      heartbeatTimeoutSeconds,
      expiresAt,
    })),
    ...(joining !== undefined && { joining }),
    ...(node && { node }),
  };
}

const isLaunching = ({ LifecycleState }: Instance): boolean =>
  LifecycleState?.endsWith('Pending:Wait') ?? false;
