import type { Cloud } from '@drover/cloud-sandbox';
import { addEtcdGroup, type EtcdGroupPlan } from '../../etcd-group.ts';
import { hookName, joiningHookName } from '../../names.ts';
import type { View } from '../view.ts';

const groupName = 'drover-controllers';
const targetGroupName = 'drover-api';

/**
 * Three instances that run etcd and an API server each, as kubecfn has them, behind the load balancer of the API, which Auto Scaling fills.
 * The group has the hooks of etcd and of nodes.
 */
export function addControllers(
  cloud: Cloud,
  plan: Pick<EtcdGroupPlan, 'settings' | 'heartbeatTimeoutSeconds'> = {},
): void {
  const { autoScaling, loadBalancing } = cloud.account;
  const { TargetGroups } = loadBalancing.operations.CreateTargetGroup({
    Name: targetGroupName,
    Protocol: 'TCP',
    Port: 6443,
    VpcId: cloud.account.ec2.instances.subnets()[0]?.vpcId ?? '',
    TargetType: 'instance',
  });
  const { heartbeatTimeoutSeconds = 300 } = plan;
  addEtcdGroup(cloud, {
    autoScalingGroupName: groupName,
    role: 'control-plane',
    size: 0,
    hook: { name: hookName, heartbeatTimeoutSeconds },
    heartbeatTimeoutSeconds,
    settings: {
      ...plan.settings,
      TargetGroupARNs: TargetGroups.map(({ TargetGroupArn = '' }) => TargetGroupArn),
    },
  });
  autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: groupName,
    LifecycleHookName: joiningHookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: heartbeatTimeoutSeconds,
    DefaultResult: 'CONTINUE',
  });
  autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: groupName, DesiredCapacity: 3 });
}

/** The group of the control plane, which a story has one of. */
const controllerGroupIn = ({ groups }: View): string =>
  groups.find(({ role }) => role === 'control-plane')?.name ?? '';

/** The instances behind the load balancer of the API, sorted. */
export function targetsOf({ account }: Cloud, view: View): readonly string[] {
  const { AutoScalingGroups } = account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [controllerGroupIn(view)],
  });
  const arns = AutoScalingGroups.flatMap(({ TargetGroupARNs = [] }) => TargetGroupARNs);
  return arns
    .flatMap(
      (TargetGroupArn) =>
        account.loadBalancing.operations.DescribeTargetHealth({ TargetGroupArn }).TargetHealthDescriptions,
    )
    .filter(({ TargetHealth }) => TargetHealth?.State !== 'draining')
    .flatMap(({ Target }) => Target?.Id ?? [])
    .toSorted();
}

/** The instances of the control plane in service. */
export const controllersIn = (view: View): readonly string[] =>
  view.instances
    .filter((one) => one.groupName === controllerGroupIn(view) && one.lifecycleState === 'InService')
    .map(({ instanceId }) => instanceId)
    .toSorted();
