import { counted } from '../counted.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { named, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { commandsFor, type GroupRow, type OtherNodes } from './group-rows.ts';
import { type PlanReport, pendingName, type RefusedPods, type WorkloadRow } from './report.ts';

/** What else the text of a plan says. */
export interface PlanNotes {
  readonly nodes: OtherNodes;
  /** What the plan ignores or could not know, as sentences. */
  readonly notes: readonly string[];
  /** The value of --cluster, which the commands need too. */
  readonly cluster: string | undefined;
}

/** A plan for people: a summary, the workloads, the groups, what fits nowhere and why, and what to do. */
export function planText(report: PlanReport, { nodes, notes, cluster }: PlanNotes, view: TableView): Text {
  const { workloads, pending, groups, refused, notPlanned } = report;
  const rows = [...workloads, ...(pending ? [pending] : [])];
  return [
    painted(report.fits ? 'green' : 'red', summaryText(report)),
    '\n',
    ...pendingText(report).map((line) => `${line}\n`),
    rows.some(({ total }) => total > 0) ? `\n${workloadTable(rows, view)}` : '',
    groups.length > 0 ? `\n${groupTable(report, view)}` : '',
    ...nodesText(nodes, groups.length > 0).map((line) => `${line}\n`),
    ...refused.flatMap((one) => ['\n', ...refusedText(one)]),
    ...notPlanned.map(({ workload, reason }) => `\n${workload} is not planned: ${reason}\n`),
    ...(notes.length > 0 ? ['\n', ...notes.map((note) => `note: ${oneLine(note)}\n`)] : []),
    ...commandsText(report, cluster),
  ];
}

/** The plan in one sentence. */
function summaryText(report: PlanReport): string {
  const { total, groups, workloads } = report;
  const open = total.fitNow + total.onNewNodes + total.nowhere;
  const all = total.total;
  if (all === 0)
    return workloads[0]?.name === pendingName ? 'No pod waits for a node.' : 'There is no pod to place.';
  const needed = groups.filter(({ newNodes }) => newNodes > 0);
  const more = needed.reduce((sum, { newNodes }) => sum + newNodes, 0);
  const parts = [
    ...(total.running > 0 ? [`${total.running} of ${counted(all, 'pod')} have a node already`] : []),
    ...(open > 0 ? [fitText(total.fitNow, open, total.running > 0)] : []),
    ...(more > 0 ? [neededText(needed, more)] : []),
    ...(total.nowhere + total.notPlanned > 0 ? [misfitText(report)] : []),
  ];
  return `${capitalized(parts.join('; '))}.`;
}

function neededText(needed: readonly GroupRow[], more: number): string {
  const [only, ...others] = needed;
  if (only !== undefined && others.length === 0)
    return `${counted(more, 'more node', 'more nodes')} of ${only.autoScalingGroupName} ${more === 1 ? 'is' : 'are'} needed`;
  const names = needed.map(({ autoScalingGroupName, newNodes }) => `${autoScalingGroupName} ${newNodes}`);
  return `${more} more nodes are needed (${names.join(', ')})`;
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Why the exit code is not 0. */
export function misfitText({ total }: PlanReport): string {
  const parts = [
    ...(total.nowhere > 0 ? [`${counted(total.nowhere, 'pod fits', 'pods fit')} nowhere`] : []),
    ...(total.notPlanned > 0 ? [`${counted(total.notPlanned, 'pod')} cannot be planned`] : []),
  ];
  return parts.join('; ');
}

function fitText(fitNow: number, open: number, isRest: boolean): string {
  const pods = `${isRest ? 'other ' : ''}${open === 1 ? 'pod' : 'pods'}`;
  if (open === 1) return `the ${pods} ${fitNow === 1 ? 'fits' : 'does not fit'} in free room now`;
  if (fitNow === open) return `all ${open} ${pods} fit in free room now`;
  return `${fitNow === 0 ? 'none' : fitNow} of ${open} ${pods} ${fitNow === 1 ? 'fits' : 'fit'} in free room now`;
}

function pendingText({ pending }: PlanReport): readonly string[] {
  if (pending === undefined) return [];
  const { total, nowhere } = pending;
  const which = counted(total, 'pod that is Pending', 'pods that are Pending');
  const without = nowhere === 0 ? '' : `; ${counted(nowhere, 'of them fits', 'of them fit')} nowhere`;
  return [`The plan has room for ${which} now too${without}.`];
}

const workloadTable = (rows: readonly WorkloadRow[], view: TableView): string =>
  tableText(
    [named('PODS OF'), 'PODS', { head: 'BOUND', leftOut: 1 }, 'FIT NOW', 'NEW NODES', 'NOWHERE'],
    rows.map((row) => [
      row.name,
      String(row.total),
      String(row.running),
      ...(row.notPlanned > 0 ? ['?', '?', '?'] : [row.fitNow, row.onNewNodes, row.nowhere].map(String)),
    ]),
    view,
  );

/** READY leaves out nodes that give no room: people took cordoned nodes for room (robscott/kube-capacity#91). */
const groupTable = ({ groups }: PlanReport, view: TableView): string =>
  tableText(
    [
      named('GROUP'),
      'READY',
      'NEW NODES',
      { head: 'DESIRED', leftOut: 1 },
      { head: 'MIN', leftOut: 2 },
      'MAX',
    ],
    groups.map((group) => [
      group.autoScalingGroupName,
      String(group.readyNodes),
      group.reason !== undefined ? '?' : String(group.newNodes),
      `${group.desiredCapacity}${group.countsUnits ? ' units' : ''}`,
      String(group.minSize),
      String(group.maxSize),
    ]),
    view,
  );

function nodesText({ outside, cordoned, notReady }: OtherNodes, hasGroups: boolean): readonly string[] {
  const closed = [
    ...(cordoned > 0 ? [`${cordoned} cordoned or leaving`] : []),
    ...(notReady > 0 ? [`${notReady} not Ready`] : []),
  ];
  return [
    ...(outside > 0 && hasGroups
      ? [`${counted(outside, 'node', 'nodes')} outside these groups may have room too.`]
      : []),
    ...(closed.length > 0
      ? [`${counted(cordoned + notReady, 'node gives', 'nodes give')} no room: ${closed.join(', ')}.`]
      : []),
  ];
}

/** Pods that fit nowhere, with the reasons of nodes and groups. */
export function refusedText({ workload, pods, message, groups }: RefusedPods): readonly string[] {
  return [
    `${workload}: ${counted(pods.length, 'pod fits', 'pods fit')} nowhere, such as ${pods[0]}\n`,
    `  ${oneLine(message)}\n`,
    ...groups.map(({ autoScalingGroupName, text }) => `  ${autoScalingGroupName}: ${oneLine(text)}\n`),
  ];
}

function commandsText(report: PlanReport, cluster: string | undefined): readonly string[] {
  const commands = commandsFor(report.groups, cluster);
  if (commands.length === 0) return [];
  const [which] = commands;
  return [
    `\nTo have the new ${which?.newNodes === 1 && commands.length === 1 ? 'node' : 'nodes'} before the pods:\n`,
    ...commands.map(({ hold }) => `  ${hold}\n`),
  ];
}
