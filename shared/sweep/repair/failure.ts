import type { Node, NodeCondition } from 'kubernetes-types/core/v1.d.ts';
import type { RepairRule } from './settings.ts';

/** A condition for which a group wants a Node replaced. Times are epoch milliseconds. */
export interface Failure {
  /** As the tag names it. */
  readonly condition: string;
  /** Undefined: the Node does not say since when. */
  readonly since: number | undefined;
  /** When it has lasted for as long as the tag allows; Infinity where `since` is not known. */
  readonly dueAt: number;
}

/** What is wrong with a Node by these rules: of several conditions the one that is due first. Pure. */
export function failureOf(node: Node, rules: readonly RepairRule[]): Failure | undefined {
  const failures = rules.flatMap((rule) => {
    const condition = conditionFor(node, rule);
    return condition && isBad(condition) ? [toFailure(rule, condition)] : [];
  });
  return failures.toSorted((one, other) => byTime(one.dueAt, other.dueAt))[0];
}

/** Two infinite times differ by NaN. */
const byTime = (one: number, other: number): number => (one === other ? 0 : one - other);

const conditionFor = ({ status }: Node, { condition }: RepairRule): NodeCondition | undefined =>
  status?.conditions?.find(({ type }) => type === (condition === 'NotReady' ? 'Ready' : condition));

/**
 * node-problem-detector sets the condition of a problem to True. The node monitoring agent of EKS sets `KernelReady` and the like to
 * False. Unknown is what the node controller writes where a kubelet is silent; of an agent's condition it says nothing.
 */
function isBad({ type, status }: NodeCondition): boolean {
  if (type === 'Ready') return status === 'False' || status === 'Unknown';
  return status === (type.endsWith('Ready') ? 'False' : 'True');
}

function toFailure({ condition, seconds }: RepairRule, { lastTransitionTime }: NodeCondition): Failure {
  const at = Date.parse(lastTransitionTime ?? '');
  return Number.isNaN(at)
    ? { condition, since: undefined, dueAt: Infinity }
    : { condition, since: at, dueAt: at + seconds * 1000 };
}
