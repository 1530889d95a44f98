import { clusterName, type DroverWorld, membersOf } from '../../local/world/drover-world.ts';

/** In the EKS cluster of the deployment. */
const blue = { clusterName, nodegroupName: 'blue' };

/**
 * A managed node group of EKS with 1 to 4 nodes, tagged for Drover, beside the group `workers`, whose launch template it takes. Gives
 * back the name of its Auto Scaling group, once its node is in service.
 */
export async function withNodegroup(world: DroverWorld): Promise<string> {
  const { autoScaling, eks } = world.account;
  const [workers] = autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: ['workers'],
  }).AutoScalingGroups;
  eks.operations.CreateCluster({ name: clusterName, roleArn: undefined, resourcesVpcConfig: undefined });
  const { nodegroup } = eks.operations.CreateNodegroup({
    ...blue,
    nodeRole: undefined,
    subnets: workers?.VPCZoneIdentifier?.split(',') ?? [],
    launchTemplate: { id: workers?.LaunchTemplate?.LaunchTemplateId ?? '' },
    scalingConfig: { minSize: 1, maxSize: 4, desiredSize: 1 },
  });
  const name = nodegroup.resources.autoScalingGroups[0]?.name ?? '';
  autoScaling.operations.CreateOrUpdateTags({
    Tags: [
      {
        ResourceId: name,
        ResourceType: 'auto-scaling-group',
        Key: 'drover.dev/role',
        Value: 'worker',
        PropagateAtLaunch: false,
      },
    ],
  });
  await world.timeline.until(() => membersOf(world, name)[0]?.LifecycleState === 'InService', {
    withinSeconds: 600,
    what: 'the node of EKS',
  });
  return name;
}
