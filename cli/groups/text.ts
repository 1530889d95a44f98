import { oneLine } from '../plain-text.ts';
import type { Group, GroupSummary } from '../scale-api/client.ts';
import { named, sentence, type TableView, wholeView } from '../table/column.ts';
import { timeText } from '../table/relative-time.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';

/** A line for each group, as `kubectl get` would print it; and why nodes are unknown, if they are. */
export function groupsText(groups: readonly GroupSummary[], view: TableView = wholeView): string {
  if (groups.length === 0) return 'no group carries the tags of this cluster\n';
  const rows = groups.map((group) => [
    group.autoScalingGroupName,
    group.role,
    String(group.minSize),
    group.countsUnits ? `${group.desiredCapacity} units` : String(group.desiredCapacity),
    String(group.maxSize),
    String(group.instances.inService),
    ...nodeColumns(group),
  ]);
  return `${tableText(groupsHead, rows, view)}${unknownReason(groups)}`;
}

const groupsHead = [
  named('NAME'),
  { head: 'ROLE', leftOut: 3 },
  { head: 'MIN', leftOut: 2 },
  'DESIRED',
  { head: 'MAX', leftOut: 2 },
  { head: 'IN-SERVICE', leftOut: 1 },
  'READY',
  'LEAVING',
];

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

/** A line for each instance of the group and its Node, and the health that EKS reports for its managed node group. */
export function groupText(group: Group, now: number, view: TableView = wholeView): string {
  const names = group.members.flatMap(({ node }) => (node.status === 'found' ? [node.name] : []));
  const rows = group.members.map((member) => [
    member.instanceId,
    member.lifecycleState,
    member.availabilityZone,
    member.node.status === 'found' ? member.node.name : '-',
    statusOf(member, group, (time) => timeText(Date.parse(time), now, view)),
  ]);
  const instances = rows.length > 0 ? tableText(membersHead(names), rows, view) : 'it has no instances\n';
  return `${groupsText([group], view)}\n${nodegroupText(group)}${instances}`;
}

const membersHead = (nodes: readonly string[]) => [
  'INSTANCE',
  { head: 'STATE', leftOut: 1 },
  { head: 'ZONE', leftOut: 2 },
  named('NODE', { brief: shortNamesOf(nodes) }),
  sentence('STATUS'),
];

function nodegroupText({ nodegroup }: Group): string {
  if (nodegroup === undefined) return '';
  const { eksClusterName, nodegroupName, status, healthIssues, reason } = nodegroup;
  const title = `managed node group ${nodegroupName} of the EKS cluster ${eksClusterName}: ${status}`;
  return `${[title, ...healthIssues, ...(reason === undefined ? [] : [reason])].map(oneLine).join('\n  ')}\n\n`;
}

function statusOf(
  { node, healthy }: Group['members'][number],
  { role }: Group,
  time: (iso: string) => string,
): string {
  const words = healthy ? [] : ['unhealthy'];
  if (node.status === 'unknown') return [...words, '?'].join(', ');
  if (node.status === 'none') return [...words, role === 'etcd' ? 'needs no Node' : 'has no Node'].join(', ');
  words.push(node.ready ? 'Ready' : 'NotReady');
  if (node.leaving) words.push(`leaves since ${time(node.leaving.since)} (${node.leaving.cause})`);
  else if (node.unschedulable) words.push('cordoned');
  return words.join(', ');
}
