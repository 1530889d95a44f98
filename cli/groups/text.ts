import { oneLine } from '../plain-text.ts';
import type { Group, GroupSummary } from '../scale-api/client.ts';
import { tableText } from '../table.ts';

/** A line for each group, as `kubectl get` would print it; and why nodes are unknown, where they are. */
export function groupsText(groups: readonly GroupSummary[]): string {
  if (groups.length === 0) return 'no group carries the tags of this cluster\n';
  const head = ['NAME', 'ROLE', 'MIN', 'DESIRED', 'MAX', 'IN-SERVICE', 'READY', 'LEAVING'];
  const rows = groups.map((group) => [
    group.autoScalingGroupName,
    group.role,
    String(group.minSize),
    String(group.desiredCapacity),
    String(group.maxSize),
    String(group.instances.inService),
    ...nodeColumns(group),
  ]);
  return `${tableText(head, rows)}${unknownReason(groups)}`;
}

/** Leaving are instances that terminate and nodes that Drover has marked already. */
function nodeColumns({ nodes, instances, role }: GroupSummary): readonly [string, string] {
  if (nodes.status === 'unknown') return ['?', String(instances.terminating)];
  const hasNodes = nodes.ready + nodes.notReady + nodes.leaving > 0;
  if (role === 'etcd' && !hasNodes) return ['-', String(instances.terminating)];
  return [String(nodes.ready), String(instances.terminating + nodes.leaving)];
}

const unknownReason = (groups: readonly GroupSummary[]): string => {
  const unknown = groups.map(({ nodes }) => nodes).find((nodes) => nodes.status === 'unknown');
  return unknown ? `\n?: ${oneLine(unknown.reason)}\n` : '';
};

/** A line for each instance of the group and its Node, and what EKS says of its managed node group. */
export function groupText(group: Group): string {
  const head = ['INSTANCE', 'STATE', 'ZONE', 'NODE', 'STATUS'];
  const rows = group.members.map((member) => [
    member.instanceId,
    member.lifecycleState,
    member.availabilityZone,
    member.node.status === 'found' ? member.node.name : '-',
    statusOf(member, group),
  ]);
  const instances = rows.length > 0 ? tableText(head, rows) : 'it has no instances\n';
  return `${groupsText([group])}\n${nodegroupText(group)}${instances}`;
}

function nodegroupText({ nodegroup }: Group): string {
  if (nodegroup === undefined) return '';
  const { eksClusterName, nodegroupName, status, healthIssues, reason } = nodegroup;
  const title = `managed node group ${nodegroupName} of the EKS cluster ${eksClusterName}: ${status}`;
  return `${[title, ...healthIssues, ...(reason === undefined ? [] : [reason])].map(oneLine).join('\n  ')}\n\n`;
}

function statusOf({ node, healthy }: Group['members'][number], { role }: Group): string {
  const words = healthy ? [] : ['unhealthy'];
  if (node.status === 'unknown') return [...words, '?'].join(', ');
  if (node.status === 'none') return [...words, role === 'etcd' ? 'needs no Node' : 'has no Node'].join(', ');
  words.push(node.ready ? 'Ready' : 'NotReady');
  if (node.leaving) words.push(`leaves since ${node.leaving.since} (${node.leaving.cause})`);
  else if (node.unschedulable) words.push('cordoned');
  return words.join(', ');
}
