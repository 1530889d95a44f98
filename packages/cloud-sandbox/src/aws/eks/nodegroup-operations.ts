import type {
  CreateNodegroupRequest,
  DeleteNodegroupRequest,
  DescribeNodegroupRequest,
  ListNodegroupsRequest,
  NodegroupScalingConfig,
  Update,
  UpdateNodegroupConfigRequest,
} from '@aws-sdk/client-eks';
import { eksErrors } from './errors.ts';
import { findCluster, findNodegroup, groupOf } from './find.ts';
import type { Cluster, EksWorld, Nodegroup } from './model.ts';
import { assertActive, endUpdate, newUpdate, toUpdate } from './update.ts';

export const nodegroupOperations = (world: EksWorld) => ({
  CreateNodegroup: (request: CreateNodegroupRequest) => {
    const cluster = findCluster(world, request.clusterName);
    const { nodegroupName: name = '' } = request;
    if (cluster.nodegroups.has(name))
      throw eksErrors.inUse(`NodeGroup already exists with name ${name} and cluster name ${cluster.name}`);
    const nodegroup = newNodegroup(world, cluster, request);
    cluster.nodegroups.set(name, nodegroup);
    return { nodegroup: toNodegroup(world, nodegroup) };
  },
  DescribeNodegroup: ({ clusterName, nodegroupName }: DescribeNodegroupRequest) => ({
    nodegroup: toNodegroup(world, findNodegroup(world, clusterName, nodegroupName)),
  }),
  ListNodegroups: ({ clusterName }: ListNodegroupsRequest) => ({
    nodegroups: [...findCluster(world, clusterName).nodegroups.keys()],
  }),
  /** Only sizes change here. Sizes that are not given stay as they are. */
  UpdateNodegroupConfig: (request: UpdateNodegroupConfigRequest): { readonly update: Update } => {
    const nodegroup = findNodegroup(world, request.clusterName, request.nodegroupName);
    const sizes = { ...sizesOf(world, nodegroup), ...given(request.scalingConfig) };
    assertActive(nodegroup);
    checkSizes(sizes);
    const update = newUpdate(world, nodegroup, 'ConfigUpdate');
    world.clock.after(world.updateSeconds * 1000, () => {
      if (update.status !== 'InProgress') return;
      if (groupOf(world, nodegroup) === undefined) {
        endUpdate(nodegroup, update);
        degrade(nodegroup);
        return;
      }
      endUpdate(nodegroup, update);
      world.autoScaling.operations.UpdateAutoScalingGroup({
        AutoScalingGroupName: nodegroup.autoScalingGroupName,
        MinSize: sizes.minSize,
        MaxSize: sizes.maxSize,
        ...(request.scalingConfig?.desiredSize !== undefined && { DesiredCapacity: sizes.desiredSize }),
      });
    });
    return { update: toUpdate(update) };
  },
  /** Its instances go with it, through Auto Scaling. */
  DeleteNodegroup: ({ clusterName, nodegroupName = '' }: DeleteNodegroupRequest) => {
    const cluster = findCluster(world, clusterName);
    const nodegroup = findNodegroup(world, clusterName, nodegroupName);
    const described = toNodegroup(world, nodegroup);
    nodegroup.status = 'DELETING';
    cluster.nodegroups.delete(nodegroupName);
    const AutoScalingGroupName = nodegroup.autoScalingGroupName;
    world.autoScaling.operations.DeleteAutoScalingGroup({ AutoScalingGroupName, ForceDelete: true });
    return { nodegroup: { ...described, status: 'DELETING' as const } };
  },
});

/**
 * Makes its Auto Scaling group, with the tags that EKS gives it. A launch template is needed here: EKS's own images are not simulated.
 * https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html, tags: eks-using-tags.html
 */
function newNodegroup(world: EksWorld, cluster: Cluster, request: CreateNodegroupRequest): Nodegroup {
  const { nodegroupName: name = '', launchTemplate, subnets = [], scalingConfig } = request;
  if (launchTemplate === undefined)
    throw eksErrors.invalid('This sandbox makes node groups from launch templates only.');
  const sizes = { minSize: 1, maxSize: 2, desiredSize: 2, ...given(scalingConfig) };
  checkSizes(sizes);
  const uuid = world.random.uuid();
  const autoScalingGroupName = `eks-${name}-${uuid}`;
  const { id, name: templateName, version } = launchTemplate;
  world.autoScaling.operations.CreateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroupName,
    MinSize: sizes.minSize,
    MaxSize: sizes.maxSize,
    DesiredCapacity: sizes.desiredSize,
    VPCZoneIdentifier: subnets.join(','),
    LaunchTemplate: {
      ...(id !== undefined && { LaunchTemplateId: id }),
      ...(templateName !== undefined && { LaunchTemplateName: templateName }),
      Version: version ?? '$Default',
    },
    Tags: [
      tag('eks:cluster-name', cluster.name),
      tag('eks:nodegroup-name', name),
      tag(`kubernetes.io/cluster/${cluster.name}`, 'owned'),
      tag('k8s.io/cluster-autoscaler/enabled', 'true'),
      tag(`k8s.io/cluster-autoscaler/${cluster.name}`, 'owned'),
    ],
  });
  return {
    arn: `arn:aws:eks:${world.region}:${world.accountId}:nodegroup/${cluster.name}/${name}/${uuid}`,
    autoScalingGroupName,
    createdAt: world.clock.now(),
    request,
    status: 'ACTIVE',
    updates: new Map(),
    ...(request.releaseVersion !== undefined && { releaseVersion: request.releaseVersion }),
    issues: [],
  };
}

const tag = (Key: string, Value: string) => ({ Key, Value, PropagateAtLaunch: true });

const given = (sizes: NodegroupScalingConfig = {}): Partial<Sizes> =>
  Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));

export interface Sizes {
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredSize: number;
}

/** EKS's words: https://github.com/terraform-aws-modules/terraform-aws-eks/issues/3521 for the first. */
function checkSizes({ minSize, maxSize, desiredSize }: Sizes): void {
  if (minSize > maxSize)
    throw eksErrors.invalid(`Minimum capacity ${minSize} can't be greater than maximum capacity ${maxSize}`);
  if (minSize > desiredSize)
    throw eksErrors.invalid(`Minimum capacity ${minSize} can't be greater than desired size ${desiredSize}`);
  if (desiredSize > maxSize)
    throw eksErrors.invalid(`Desired capacity ${desiredSize} can't be greater than max size ${maxSize}`);
}

function degrade(nodegroup: Nodegroup): void {
  nodegroup.status = 'DEGRADED';
  nodegroup.issues = [
    {
      code: 'AutoScalingGroupNotFound',
      message: 'The Auto Scaling group that is associated with the node group was not found',
      resourceIds: [nodegroup.autoScalingGroupName],
    },
  ];
}

/** What Auto Scaling has. EKS shows sizes that others have set there, too. */
function sizesOf(world: EksWorld, nodegroup: Nodegroup): Sizes {
  const group = groupOf(world, nodegroup);
  return {
    minSize: group?.MinSize ?? 0,
    maxSize: group?.MaxSize ?? 0,
    desiredSize: group?.DesiredCapacity ?? 0,
  };
}

/** An update may have changed it. */
const versionOf = (world: EksWorld, nodegroup: Nodegroup): string | undefined =>
  groupOf(world, nodegroup)?.LaunchTemplate?.Version ?? nodegroup.request.launchTemplate?.version;

function toNodegroup(world: EksWorld, nodegroup: Nodegroup) {
  const { arn, request, status, issues, autoScalingGroupName, createdAt, releaseVersion } = nodegroup;
  const {
    nodegroupName,
    clusterName,
    subnets,
    launchTemplate,
    labels = {},
    taints,
    capacityType,
    amiType,
    nodeRole,
    tags = {},
  } = request;
  return {
    nodegroupName,
    nodegroupArn: arn,
    clusterName,
    createdAt: new Date(createdAt),
    status,
    ...(releaseVersion !== undefined && { releaseVersion }),
    subnets,
    nodeRole,
    labels,
    ...(taints && { taints }),
    ...(capacityType && { capacityType }),
    ...(amiType && { amiType }),
    tags,
    ...(launchTemplate && { launchTemplate: { ...launchTemplate, version: versionOf(world, nodegroup) } }),
    scalingConfig: sizesOf(world, nodegroup),
    resources: { autoScalingGroups: [{ name: autoScalingGroupName }] },
    health: { issues: [...issues] },
  };
}
