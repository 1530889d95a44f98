import type { DrainPlan, PlannedPod } from '../../shared/draining/plan-drain.ts';
import { counted } from '../counted.ts';
import { type Painted, painted, type Text } from '../output.ts';
import { sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';

const colours: Readonly<Record<PlannedPod['verdict'], Painted['style']>> = {
  evict: 'green',
  delete: 'yellow',
  skip: 'gray',
  refuse: 'red',
};

/** The plan as a table, one pod a line. */
const columns = [
  { head: 'POD', least: 24 },
  'VERDICT',
  { head: 'TIER', leftOut: 2 },
  { head: 'HELD BY', least: 12, leftOut: 1 },
  sentence('REASON'),
];

export function planTable(pods: readonly PlannedPod[], view: TableView): Text {
  const rows = pods.map((pod) => [
    `${pod.namespace}/${pod.name}`,
    pod.verdict,
    pod.tier,
    pod.heldBy?.join(', ') ?? '-',
    pod.reason,
  ]);
  const [head = '', ...lines] = tableText(columns, rows, view).split('\n');
  const column = head.indexOf('VERDICT');
  return [head, '\n', ...pods.map((pod, index) => [paintedLine(lines[index] ?? '', pod, column), '\n'])];
}

const paintedLine = (line: string, { verdict }: PlannedPod, column: number): Text => [
  line.slice(0, column),
  painted(colours[verdict], verdict),
  line.slice(column + verdict.length),
];

/** What the plan comes to, in one sentence. */
export function planSummary(plan: DrainPlan): string {
  const leaving = plan.waitingFor.length;
  const held = plan.waitingFor.filter((pod) => pod.heldBy).length;
  if (plan.refused.length > 0)
    return `${counted(plan.refused.length, 'pod refuses', 'pods refuse')}: nothing would be evicted until a flag allows it or the pods are gone.`;
  if (leaving === 0) return 'No pod has to leave.';
  return `${counted(leaving, 'pod')} would leave${held > 0 ? `; ${held} held by a budget now` : ''}.`;
}
