import { explainPod } from '../../shared/capacity/plan/explain-pod.ts';
import type { Placement } from '../../shared/capacity/plan/place.ts';
import type { Plan } from '../../shared/capacity/plan/plan.ts';
import type { PlannedPod } from '../../shared/capacity/plan/types.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';
import { type PlanReport, podName } from './report.ts';

/** Why a plan puts one pod on its node, or on none. */
export interface PodReasons {
  readonly pod: string;
  /** null: it fits nowhere. */
  readonly node: string | null;
  readonly lines: readonly string[];
}

/**
 * Explains the place of one pod of a plan.
 *
 * @throws CliError `usage` if the plan has no such pod, or several.
 */
export function reasonsOfPod(
  name: string,
  plan: Plan,
  { input, report }: { readonly input: Pick<PlanInput, 'nodes' | 'groups'>; readonly report: PlanReport },
): PodReasons {
  const { pod } = find(name, plan.placements);
  const explanation = explainPod(input, plan, pod);
  if (explanation?.kind !== 'placed')
    return { pod: podName(pod), node: null, lines: refusalLines(pod, report) };
  const { nodeName, nodes, passed, reasons } = explanation;
  const isNew = !input.nodes.some(({ node }) => node.name === nodeName);
  const refused = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted();
  const refusing = nodes - passed.length;
  return {
    pod: podName(pod),
    node: nodeName,
    lines: [
      `${podName(pod)} goes to ${nodeName}${isNew ? ', a node that does not exist yet' : ''}.`,
      othersText(passed.length - 1),
      ...(refusing === 0
        ? []
        : [`${counted(refusing, 'other node refuses', 'other nodes refuse')} it: ${refused.join(', ')}.`]),
    ].map(oneLine),
  };
}

function othersText(others: number): string {
  if (others === 0) return 'No other node would take it.';
  return `${counted(others, 'other node', 'other nodes')} would take it too; this one has the most room. The scheduler may choose another one by preferences, which a plan ignores.`;
}

function find(name: string, placements: readonly Placement[]): Placement {
  const found = placements.filter(({ pod }) => podName(pod) === name || pod.name === name);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  const names = (first === undefined ? placements : found).map(({ pod }) => podName(pod));
  const some = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  throw new CliError(
    first === undefined
      ? `--explain ${name}: the plan places no such pod; it places ${some || 'none'}${more}`
      : `--explain ${name}: several pods have this name: ${some}${more}`,
    exitCodes.usage,
  );
}

function refusalLines(pod: PlannedPod, { refused }: PlanReport): readonly string[] {
  const own = refused.find(({ pods }) => pods.includes(podName(pod)));
  return [
    `${podName(pod)} fits nowhere.`,
    ...(own
      ? [own.message, ...own.groups.map((group) => `${group.autoScalingGroupName}: ${group.text}`)]
      : []),
  ].map(oneLine);
}
