import { styleText } from 'node:util';
import type { DrainPlan, PlannedPod } from '../../shared/draining/drain-plan.ts';
import type { PodVerdict } from '../../shared/draining/pod-verdict.ts';
import { tableText } from '../table.ts';

type Colour = 'green' | 'yellow' | 'gray' | 'red';

const colours: Readonly<Record<PodVerdict['verdict'], Colour>> = {
  evict: 'green',
  delete: 'yellow',
  skip: 'gray',
  refuse: 'red',
};

/** The plan as a table, one pod a line. */
export function planTable(pods: readonly PlannedPod[], { colour }: { readonly colour: boolean }): string {
  const paint = (verdict: PodVerdict['verdict']): string =>
    colour ? styleText(colours[verdict], verdict, { validateStream: false }) : verdict;
  const rows = pods.map((pod) => [
    `${pod.namespace}/${pod.name}`,
    paint(pod.verdict),
    pod.tier,
    pod.heldBy?.join(', ') ?? '-',
    pod.reason,
  ]);
  return tableText(['POD', 'VERDICT', 'TIER', 'HELD BY', 'REASON'], rows);
}

/** What the plan comes to, in one sentence. */
export function planSummary(plan: DrainPlan): string {
  const leaving = plan.waitingFor.length;
  const held = plan.waitingFor.filter((pod) => pod.heldBy).length;
  if (plan.refused.length > 0)
    return `${count(plan.refused.length)} refuse: nothing would be evicted until a flag or a person decides about them.`;
  if (leaving === 0) return 'Nothing has to leave.';
  return `${count(leaving)} would leave${held > 0 ? `; ${held} held by a budget now` : ''}.`;
}

const count = (pods: number): string => (pods === 1 ? '1 pod' : `${pods} pods`);
