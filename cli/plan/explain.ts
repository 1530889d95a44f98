import { explainPod } from '../../shared/capacity/plan/explain-pod.ts';
import type { Placement } from '../../shared/capacity/plan/place.ts';
import type { Plan } from '../../shared/capacity/plan/plan.ts';
import type { PlannedPod } from '../../shared/capacity/plan/types.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { nearNames } from '../find-node/near-names.ts';
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
  const { pod } = find(name, plan, input.nodes);
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

/** A pod of several namespaces needs its namespace too. */
const isNamed = (pod: Pick<PlannedPod, 'namespace' | 'name'>, name: string): boolean =>
  name.includes('/') ? podName(pod) === name : pod.name === name;

function find(name: string, { placements }: Plan, nodes: PlanInput['nodes']): Placement {
  const found = placements.filter(({ pod }) => isNamed(pod, name));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  const why = first === undefined ? whyNotPlaced(name, placements, nodes) : whichOf(found);
  throw new CliError(`--explain ${name}: ${why}`, exitCodes.usage);
}

const whichOf = (found: readonly Placement[]): string =>
  `several pods have this name: give one as NAMESPACE/NAME, ${listed(found.map(({ pod }) => podName(pod)))}`;

function whyNotPlaced(name: string, placements: readonly Placement[], nodes: PlanInput['nodes']): string {
  const running = nodes.flatMap(({ pods }) => pods).find((pod) => isNamed(pod, name));
  if (running?.nodeName !== undefined) return `${podName(running)} has a node already: ${running.nodeName}`;
  const names = placements.map(({ pod }) => podName(pod));
  if (names.length === 0) return 'the plan places no pod';
  const near = nearPods(name, placements);
  return near.length > 0
    ? `the plan places no such pod: did you mean ${near.join(' or ')}?`
    : `the plan places no such pod; it places ${listed(names)}`;
}

/** The pods that a mistyped name may mean: of another namespace, with another letter, or of the workload of this name. */
function nearPods(text: string, placements: readonly Placement[]): readonly string[] {
  const [name = '', namespace] = text.split('/').toReversed();
  const pods = placements.map(({ pod }) => pod);
  const exact = pods.filter((pod) => pod.name === name);
  const known = pods.filter((pod) => pod.namespace === namespace);
  const own = known.length > 0 ? known : pods;
  const near = new Set(
    nearNames(
      name,
      own.map((pod) => pod.name),
    ),
  );
  const likely = own.filter((pod) => near.has(pod.name));
  const ofWorkload = own.filter((pod) => pod.name.startsWith(`${name}-`));
  const [best = []] = [exact, likely, ofWorkload].filter((some) => some.length > 0);
  return best.slice(0, 3).map(podName);
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

function refusalLines(pod: PlannedPod, { refused }: PlanReport): readonly string[] {
  const own = refused.find(({ pods }) => pods.includes(podName(pod)));
  return [
    `${podName(pod)} fits nowhere.`,
    ...(own
      ? [own.message, ...own.groups.map((group) => `${group.autoScalingGroupName}: ${group.text}`)]
      : []),
  ].map(oneLine);
}
