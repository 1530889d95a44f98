import {
  DescribeNodegroupCommand,
  type EKSClient,
  type NodegroupScalingConfig,
  UpdateNodegroupConfigCommand,
} from '@aws-sdk/client-eks';
import type { NodegroupState } from '../capacity/groups.ts';
import type { EksNodegroup } from '../groups/group.ts';
import { required } from './unreadable-answer.ts';

const namesOf = ({ eksClusterName: clusterName, nodegroupName }: EksNodegroup) => ({
  clusterName,
  nodegroupName,
});

/**
 * Begins an update of the sizes of a managed node group; those that are not given stay as they are. EKS needs some seconds for it, and
 * refuses another update meanwhile.
 */
export async function updateNodegroupSizes(
  client: EKSClient,
  nodegroup: EksNodegroup,
  scalingConfig: NodegroupScalingConfig,
): Promise<void> {
  await client.send(new UpdateNodegroupConfigCommand({ ...namesOf(nodegroup), scalingConfig }));
}

/** What EKS says of a managed node group. */
export async function readNodegroup(client: EKSClient, nodegroup: EksNodegroup): Promise<NodegroupState> {
  const { nodegroup: found, $metadata } = await client.send(new DescribeNodegroupCommand(namesOf(nodegroup)));
  const { status, health } = required(found, { name: 'nodegroup', $metadata });
  return {
    ...nodegroup,
    status: status ?? '',
    healthIssues: (health?.issues ?? []).map(({ code = '', message = '' }) => `${code}: ${message}`),
  };
}
