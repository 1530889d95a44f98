import type { AutoScalingGroup, Instance } from '@aws-sdk/client-auto-scaling';
import type { HookWait, SimulatedInstance } from '@drover/cloud-sandbox/aws';
import { describePause, pauseOf } from '../../../shared/passes/pause.ts';
import type { CapacityView, GroupView, InstanceView, NodeView, PassView } from '../../../ui/state/types.ts';

/** What the rest of the cloud knows of an instance. */
export interface AroundInstances {
  readonly ec2Instance: (instanceId: string) => SimulatedInstance | undefined;
  readonly waits: ReadonlyMap<string, readonly HookWait[]>;
  readonly nodes: ReadonlyMap<string, NodeView>;
  readonly capacity: ReadonlyMap<string, CapacityView>;
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
  const autoScalingGroupName = group.AutoScalingGroupName ?? '';
  const capacity = around.capacity.get(autoScalingGroupName);
  const tags = Object.fromEntries(group.Tags?.map(({ Key = '', Value = '' }) => [Key, Value]) ?? []);
  const pause = pauseOf(tags);
  return {
    autoScalingGroupName,
    role: tags['drover.dev/role'],
    minSize: group.MinSize ?? 0,
    maxSize: group.MaxSize ?? 0,
    desiredCapacity: group.DesiredCapacity ?? 0,
    inService: instances.filter(({ lifecycleState }) => lifecycleState === 'InService').length,
    ...(pause && { paused: describePause(pause) }),
    ...(capacity && { capacity }),
    instances,
  };
}

const marketOf = (lifecycle = 'on-demand'): InstanceView['market'] =>
  lifecycle === 'on-demand' || lifecycle === 'spot' ? lifecycle : 'reserved';

function instanceView(
  instance: Instance,
  { ec2Instance, waits, nodes, passes }: AroundInstances,
): InstanceView {
  const instanceId = instance.InstanceId ?? '';
  const machine = ec2Instance(instanceId);
  const node = nodes.get(instanceId);
  const work = workOn(instance);
  const lastPass = work && passes.find((pass) => pass.work === work && pass.subject === instanceId)?.reason;
  return {
    instanceId,
    availabilityZone: instance.AvailabilityZone ?? '',
    instanceType: instance.InstanceType ?? '',
    market: marketOf(machine?.lifecycle),
    lifecycleState: instance.LifecycleState ?? '',
    healthy: instance.HealthStatus === 'Healthy',
    ...(machine && { launchedAt: machine.launchedAt }),
    ec2State: machine?.state ?? 'terminated',
    waits: (waits.get(instanceId) ?? []).map(({ lifecycleHookName, heartbeatTimeoutSeconds, expiresAt }) => ({
      lifecycleHookName,
      heartbeatTimeoutSeconds,
      expiresAt,
    })),
    ...(lastPass !== undefined && { lastPass }),
    ...(node && { node }),
  };
}

/** The passes that an instance waits for. */
function workOn({ LifecycleState: state }: Instance): string | undefined {
  if (state?.endsWith('Pending:Wait')) return 'node-joining';
  return state?.endsWith('Terminating:Wait') ? 'node-leaving' : undefined;
}
