import type { SimulatedInstance } from '@drover/cloud-sandbox/aws';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { joiningHookName } from '../../../local/names.ts';
import { clusterName, type DroverWorld, hookName } from '../../../local/world/drover-world.ts';
import { create, request } from '../../../local/world/workloads.ts';
import { manifestsOf } from './manifests.ts';
import type { PlannedGroup, PlannedLaunchHook } from './plan/groups.ts';
import type { LifetimePlan } from './plan/plan.ts';

/** Host names by instance. */
export interface UsedNames {
  nameOf(instanceId: string, group: string): string;
}

/** An instance takes the name of one of its group that has terminated, or else a new one. */
export function createUsedNames(isTerminated: (instanceId: string) => boolean): UsedNames {
  const holders = new Map<string, string>();
  return {
    nameOf: (instanceId, group) => {
      const own = [...holders].find(([, holder]) => holder === instanceId)?.[0];
      if (own !== undefined) return own;
      const ofGroup = [...holders].filter(([name]) => name.startsWith(`${group}-host-`));
      const free = ofGroup.find(([, holder]) => isTerminated(holder))?.[0];
      const name = free ?? `${group}-host-${ofGroup.length + 1}`;
      holders.set(name, instanceId);
      return name;
    },
  };
}

/** How the kubelet of an instance is started; undefined for one that never joins. */
export function kubeletOf(
  plan: LifetimePlan,
  { tags, instanceId, privateDnsName }: SimulatedInstance,
  names?: UsedNames,
) {
  const name = tags.get('aws:autoscaling:groupName');
  const group = plan.groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name);
  if (!group?.joins) return undefined;
  const nodeName = {
    'private-dns': privateDnsName,
    'instance-id': instanceId,
    own: `node-${instanceId.slice(-6)}`,
    'used-again': names?.nameOf(instanceId, group.autoScalingGroupName) ?? '',
  }[group.nodeNames];
  const readyDelaySeconds = group.launchHook?.readyDelaySeconds;
  return { nodeName, ...(readyDelaySeconds !== undefined && { readyDelaySeconds }) };
}

/** Whether the kubelet of an instance asks for its certificates: the others register their Nodes at once. */
export const asksIn = (plan: LifetimePlan, { tags }: SimulatedInstance): boolean =>
  plan.groups.some(
    ({ autoScalingGroupName, launchHook }) =>
      launchHook !== undefined && autoScalingGroupName === tags.get('aws:autoscaling:groupName'),
  );

/** Furnishes the account and the cluster as planned, and lets its nodes join and its pods start. */
export async function setStage(world: DroverWorld, plan: LifetimePlan): Promise<void> {
  if (plan.conditions.addressesComeBack) world.account.ec2.instances.reuseAddresses();
  await world.lambda.invoke('bootstrap-credential', {});
  for (const group of plan.groups) furnishGroup(world, group);
  await world.timeline.pass(60);
  await createPriorityClass(world);
  for (const workload of plan.workloads) await create(world, ...manifestsOf(workload));
  await world.timeline.pass(60);
}

function furnishGroup(world: DroverWorld, group: PlannedGroup): void {
  const { autoScaling } = world.account;
  const { autoScalingGroupName, size, heartbeatTimeoutSeconds } = group;
  addGroup(world, {
    autoScalingGroupName,
    clusterName,
    size,
    ...(group.role && { role: group.role }),
    ...(group.spot ? { spot: true } : { reserved: 'interruptible-capacity-reservation' }),
    tags: { ...group.tags, ...(!group.managed && { 'drover.dev/role': 'gpu' }) },
    ...(heartbeatTimeoutSeconds !== undefined && { hook: { name: hookName, heartbeatTimeoutSeconds } }),
    settings: {
      ...(group.launchHook && { LifecycleHookSpecificationList: [launchHook(group.launchHook)] }),
      ...(group.launchesFirst && {
        InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 },
      }),
      ...(group.retainsAbandoned && {
        InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } },
      }),
      ...(group.deregistrationSeconds !== undefined && {
        TargetGroupARNs: [targetGroup(world, autoScalingGroupName, group.deregistrationSeconds)],
      }),
    },
  });
  if (group.etcdHook)
    autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: autoScalingGroupName,
      LifecycleHookName: 'drover-etcd',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 900,
      DefaultResult: 'CONTINUE',
    });
}

/** With CONTINUE a wait that was lost shows as an instance in service, and one that was scaled in as one that terminates. */
const launchHook = ({ heartbeatTimeoutSeconds }: PlannedLaunchHook) => ({
  LifecycleHookName: joiningHookName,
  LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
  HeartbeatTimeout: heartbeatTimeoutSeconds,
  DefaultResult: 'CONTINUE',
});

function targetGroup({ account }: DroverWorld, name: string, seconds: number): string {
  const { operations } = account.loadBalancing;
  const answer = operations.CreateTargetGroup({ Name: name, Protocol: 'HTTP', Port: 80, VpcId: 'vpc-1' });
  const arn = answer.TargetGroups[0]?.TargetGroupArn ?? '';
  operations.ModifyTargetGroupAttributes({
    TargetGroupArn: arn,
    Attributes: [{ Key: 'deregistration_delay.timeout_seconds', Value: String(seconds) }],
  });
  return arn;
}

async function createPriorityClass(world: DroverWorld): Promise<void> {
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const metadata = { name: 'system-cluster-critical' };
  await request(world, 'POST', path, { metadata, value: 2_000_000_000 });
}
