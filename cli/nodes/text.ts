import { durationText } from '../../shared/base/duration.ts';
import { oneLine } from '../plain-text.ts';
import type { Instance } from '../scale-api/client.ts';
import { named, sentence, type TableView, wholeView } from '../table/column.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';

const headOf = (nodes: readonly string[]) => [
  named('NODE', { brief: shortNamesOf(nodes) }),
  'INSTANCE',
  named('GROUP', { leftOut: 2 }),
  { head: 'ZONE', leftOut: 4 },
  { head: 'STATE', leftOut: 3 },
  { head: 'STATUS', least: 12, cutAt: 'end' as const },
  { head: 'AGE', leftOut: 1 },
  sentence('WAITS FOR'),
];

/** A line for each instance, by group and node; and why nodes are unknown, if they are. */
export function nodesText(instances: readonly Instance[], now: number, view: TableView = wholeView): string {
  if (instances.length === 0) return 'the managed groups have no instances\n';
  const rows = instances.map((instance) => rowOf(instance, now)).toSorted(byGroupAndNode);
  const unknown = instances.map(({ node }) => node).find((node) => node.status === 'unknown');
  return `${tableText(headOf(rows.map(([node]) => node)), rows, view)}${unknown ? `\n?: ${oneLine(unknown.reason)}\n` : ''}`;
}

type Row = readonly [node: string, instance: string, group: string, ...rest: string[]];

function rowOf(instance: Instance, now: number): Row {
  const { instanceId, autoScalingGroupName, availabilityZone, lifecycleState, node } = instance;
  return [
    node.status === 'found' ? node.name : node.status === 'unknown' ? '?' : '-',
    instanceId,
    autoScalingGroupName,
    availabilityZone,
    lifecycleState,
    statusOf(instance),
    ageOf(node, now),
    waitsFor(node, now),
  ];
}

const byGroupAndNode = ([node, instance, group]: Row, [otherNode, otherInstance, otherGroup]: Row): number =>
  group.localeCompare(otherGroup) || node.localeCompare(otherNode) || instance.localeCompare(otherInstance);

function statusOf({ node, healthy, serves }: Instance): string {
  const words = healthy ? [] : ['unhealthy'];
  if (node.status === 'unknown') return [...words, '?'].join(', ');
  if (node.status === 'none') return [...words, serves ? 'needs no Node' : 'has no Node'].join(', ');
  words.push(node.ready ? 'Ready' : 'NotReady');
  if (node.leaving) words.push(`leaves (${node.leaving.cause})`);
  else if (node.unschedulable) words.push('cordoned');
  return words.join(', ');
}

function ageOf(node: Instance['node'], now: number): string {
  if (node.status !== 'found' || node.createdAt === undefined) return '-';
  return sinceText(node.createdAt, now);
}

/** The first pod, and how many more there are. Without pods only the pass is left that completes the hook. */
function waitsFor(node: Instance['node'], now: number): string {
  if (node.status !== 'found' || node.leaving === undefined) return '-';
  const { waitingFor, since } = node.leaving;
  const [first, ...more] = waitingFor;
  const pods =
    first === undefined ? 'its next pass' : `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return `${pods}, for ${sinceText(since, now)}`;
}

/** A clock of the cluster may be ahead of ours. */
const sinceText = (time: string, now: number): string =>
  durationText(Math.max(0, Math.floor((now - Date.parse(time)) / 1000)));
