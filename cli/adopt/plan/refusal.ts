import { shellWord } from '../../../shared/base/shell-words.ts';
import { clusterTag, eksNodegroupOf } from '../../../shared/groups/group.ts';
import { isOtherKubeconfig } from '../../auto-scaling/other-cluster.ts';
import type { Observation, ObservedGroup, Wishes } from './observation.ts';
import { nodesOf, roleFor, tagValues } from './role.ts';
import type { Refusal } from './step.ts';

/** Auto Scaling takes 50 tags of a group (EC2 Auto Scaling quotas). */
export const mostTags = 50;

/** Why a group cannot be adopted; undefined if it can. Pure. */
export function whyNotAdoptable(
  group: ObservedGroup,
  observation: Observation,
  wishes: Wishes,
): Refusal | undefined {
  const subject = group.autoScalingGroupName;
  const tags = tagValues(group);
  const nodegroup = eksNodegroupOf({ tags });
  if (nodegroup) {
    const state = stateWords(group.nodegroup);
    return {
      subject,
      reason: `EKS manages this group (tag eks:nodegroup-name=${nodegroup.nodegroupName}): it drains its nodes itself, and replaces changes of the group${state === undefined ? '' : `. ${state}`}`,
      remedy:
        state === undefined
          ? 'change it in EKS; holds and schedules work as docs/capacity.md#managed-node-groups-of-eks says'
          : `aws eks describe-nodegroup --cluster-name ${shellWord(nodegroup.eksClusterName)} --nodegroup-name ${shellWord(nodegroup.nodegroupName)} shows it; until it is ACTIVE, EKS refuses the sizes of holds and schedules`,
    };
  }
  const other = otherOwner(tags, observation.clusterName);
  if (other !== undefined)
    return {
      subject,
      reason: `cluster ${other} owns this group (tag ${clusterTag(other)}=owned)`,
      remedy: `give --cluster ${shellWord(other)} if you mean that cluster`,
    };
  const stranger = whyStranger(group, observation);
  if (stranger !== undefined)
    return {
      subject,
      reason: stranger,
      remedy: 'give --kubeconfig or --context of the cluster of this group',
    };
  const role = roleFor(group, observation, wishes);
  const nodes = nodesOf(group, observation);
  const member = nodes.find(({ hasEtcd }) => hasEtcd);
  if (member)
    return {
      subject,
      reason: `a member of etcd runs on its node ${member.name} (stacked etcd of kubeadm). Drover would drain the node and let the instance go, and does not remove its member: after two replacements etcd has no quorum`,
      remedy:
        'docs/etcd.md#from-stacked-etcd-of-kubeadm describes the move to a group whose members Drover manages',
    };
  if (role === 'etcd')
    return {
      subject,
      reason: 'a group of etcd needs a zone, certificates and two hooks, which this command does not make',
      remedy: `drover etcd adopt ${shellWord(subject)} --plan shows what an etcd that exists needs; docs/etcd.md`,
    };
  const controlPlane = nodes.find(({ isControlPlane }) => isControlPlane);
  if (role === 'worker' && controlPlane)
    return {
      subject,
      reason: `its node ${controlPlane.name} is one of the control plane, and the role is worker: several would leave at once`,
      remedy: `drover adopt ${shellWord(subject)} --role control-plane`,
    };
  return undefined;
}

/** What is wrong with a node group of EKS; undefined if it is active and well. */
function stateWords(nodegroup: ObservedGroup['nodegroup']): string | undefined {
  if (nodegroup === undefined) return undefined;
  if (nodegroup.kind === 'missing')
    return 'EKS does not have this node group, so the tags are left over or those of another region';
  if (nodegroup.kind === 'unread') return `The state of the node group cannot be read: ${nodegroup.why}`;
  const { status, issues } = nodegroup;
  if (status === 'ACTIVE' && issues.length === 0) return undefined;
  const named = issues.map(
    ({ code, message, resourceIds }) =>
      `${code}${resourceIds.length > 0 ? ` (${resourceIds.join(', ')})` : ''}${message === '' ? '' : `: ${message}`}`,
  );
  return [`The node group is ${status}`, ...(named.length > 0 ? [named.join('; ')] : [])].join(
    ', with the health issues ',
  );
}

/**
 * The kubeconfig and the AWS credentials may mean two clusters. A group of another cluster would get hooks that nothing completes, and this
 * cluster would lose its approver of certificates.
 */
function whyStranger({ instances }: ObservedGroup, { nodes }: Observation): string | undefined {
  const nodeInstanceIds = nodes.map(({ instanceId }) => instanceId);
  return isOtherKubeconfig(instances, nodeInstanceIds)
    ? 'none of its instances in service is a Node of the cluster that the kubeconfig names'
    : undefined;
}

/** Two clusters cannot own one group. */
const otherOwner = (tags: Readonly<Record<string, string>>, clusterName: string): string | undefined =>
  Object.entries(tags)
    .find(
      ([key, value]) =>
        value === 'owned' && key.startsWith(clusterTag('')) && key !== clusterTag(clusterName),
    )?.[0]
    .slice(clusterTag('').length);
