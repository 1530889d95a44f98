import { DescribeNodegroupCommand, type EKSClient } from '@aws-sdk/client-eks';
import { hasCode, required } from '../../../shared/aws/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { eksNodegroupOf } from '../../../shared/groups/group.ts';
import type { ObservedGroup, ObservedNodegroup } from '../plan/observation.ts';
import { tagValues } from '../plan/role.ts';

/** What EKS says about the node group that manages a group; undefined if EKS does not manage it. One that cannot be read stops no plan. */
export async function observeNodegroup(
  client: EKSClient,
  group: Pick<ObservedGroup, 'tags'>,
): Promise<ObservedNodegroup | undefined> {
  const named = eksNodegroupOf({ tags: tagValues(group) });
  if (named === undefined) return undefined;
  try {
    const { nodegroup, $metadata } = await client.send(
      new DescribeNodegroupCommand({
        clusterName: named.eksClusterName,
        nodegroupName: named.nodegroupName,
      }),
    );
    const { status = 'UNKNOWN', health } = required(nodegroup, { name: 'nodegroup', $metadata });
    const issues = (health?.issues ?? []).map(({ code = 'unknown', message = '', resourceIds = [] }) => ({
      code,
      message,
      resourceIds,
    }));
    return { kind: 'read', status, issues };
  } catch (error) {
    return hasCode(error, 'ResourceNotFoundException')
      ? { kind: 'missing' }
      : { kind: 'unread', why: messageOf(error) };
  }
}
