import type {
  DescribeUpdateRequest,
  ListUpdatesRequest,
  Update,
  UpdateNodegroupVersionRequest,
} from '@aws-sdk/client-eks';
import { eksErrors } from './errors.ts';
import { findNodegroup, groupOf } from './find.ts';
import type { EksWorld, Nodegroup, NodegroupUpdate } from './model.ts';
import { assertActive, endUpdate, newUpdate, toUpdate } from './update.ts';

/**
 * Updates of the version of a node group, from documents only. What is simulated: the group launches the other version of its template, and its
 * old instances are terminated one after the other, each once its group is whole. What is not: the sizes that EKS raises meanwhile, the
 * drains, which end an update after 15 minutes (`failUpdate` of the controls), and EKS's own images.
 *
 * https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
 * https://docs.aws.amazon.com/eks/latest/APIReference/API_UpdateNodegroupVersion.html
 */
export const versionOperations = (world: EksWorld) => ({
  UpdateNodegroupVersion: (request: UpdateNodegroupVersionRequest): { readonly update: Update } => {
    const nodegroup = findNodegroup(world, request.clusterName, request.nodegroupName);
    checkVersions(nodegroup, request);
    assertActive(nodegroup);
    const update = newUpdate(world, nodegroup, 'VersionUpdate', {
      ...(request.version !== undefined && { Version: request.version }),
      ...(request.releaseVersion !== undefined && { ReleaseVersion: request.releaseVersion }),
      ...(request.launchTemplate?.version !== undefined && {
        LaunchTemplateVersion: request.launchTemplate.version,
      }),
    });
    if (request.launchTemplate?.version !== undefined)
      launchFrom(world, nodegroup, request.launchTemplate.version);
    if (request.releaseVersion !== undefined) nodegroup.releaseVersion = request.releaseVersion;
    const old = new Set(instancesOf(world, nodegroup).map(({ InstanceId }) => InstanceId));
    replaceNext(world, { nodegroup, update, old });
    return { update: toUpdate(update) };
  },
  DescribeUpdate: ({ name, nodegroupName, updateId = '' }: DescribeUpdateRequest) => {
    const update = findNodegroup(world, name, nodegroupName).updates.get(updateId);
    if (update === undefined) throw eksErrors.noUpdate(updateId);
    return { update: toUpdate(update) };
  },
  /** Of a node group. The reference names no order. https://docs.aws.amazon.com/eks/latest/APIReference/API_ListUpdates.html */
  ListUpdates: ({ name, nodegroupName }: ListUpdatesRequest) => ({
    updateIds: [...findNodegroup(world, name, nodegroupName).updates.keys()],
  }),
});

/** The words are not known: no page shows them. */
function checkVersions(
  { request: { launchTemplate, amiType } }: Nodegroup,
  { version, releaseVersion, launchTemplate: given }: UpdateNodegroupVersionRequest,
): void {
  if (amiType === 'CUSTOM' && (version !== undefined || releaseVersion !== undefined))
    throw eksErrors.invalid(
      'You cannot specify a version or releaseVersion for a node group with a custom AMI.',
    );
  const isSame =
    given === undefined ||
    (given.id !== undefined && given.id === launchTemplate?.id) ||
    (given.name !== undefined && given.name === launchTemplate?.name);
  if (!isSame)
    throw eksErrors.invalid('You must specify the launch template that was used to create the node group.');
}

function launchFrom(
  { autoScaling }: EksWorld,
  { autoScalingGroupName, request: { launchTemplate: { id, name } = {} } }: Nodegroup,
  version: string,
): void {
  autoScaling.operations.UpdateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroupName,
    LaunchTemplate: {
      ...(id !== undefined ? { LaunchTemplateId: id } : { LaunchTemplateName: name }),
      Version: version,
    },
  });
}

const instancesOf = (world: EksWorld, nodegroup: Nodegroup) => groupOf(world, nodegroup)?.Instances ?? [];

interface Replacing {
  readonly nodegroup: Nodegroup;
  readonly update: NodegroupUpdate;
  /** The ids of the instances that were there when it began. */
  readonly old: ReadonlySet<string | undefined>;
}

function replaceNext(world: EksWorld, replacing: Replacing): void {
  world.clock.after(world.updateSeconds * 1000, () => {
    const { nodegroup, update, old } = replacing;
    if (update.status !== 'InProgress' || nodegroup.status !== 'UPDATING') return;
    const instances = instancesOf(world, nodegroup);
    const serving = instances.filter(({ LifecycleState }) => LifecycleState === 'InService');
    const isWhole =
      serving.length === instances.length &&
      serving.length >= (groupOf(world, nodegroup)?.DesiredCapacity ?? 0);
    const next = instances.find(({ InstanceId }) => old.has(InstanceId));
    if (isWhole && next === undefined) {
      endUpdate(nodegroup, update);
      return;
    }
    if (isWhole && next !== undefined)
      world.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: next.InstanceId,
        ShouldDecrementDesiredCapacity: false,
      });
    replaceNext(world, replacing);
  });
}
