import type { BudgetView, LeavingView } from './types.ts';

/** A pod that a drain waits for. */
export interface HeldPod {
  /** `namespace/name`; the whole line where it is not of that form. */
  readonly pod: string;
  readonly reason: string;
  /** The budgets that hold it, as `namespace/name`. */
  readonly budgets: readonly string[];
}

/** The lines of Drover's mark, such as `shop/web-1 (budget web)`. */
export const heldPods = ({ waitingFor }: Pick<LeavingView, 'waitingFor'>): readonly HeldPod[] =>
  waitingFor.map((line) => {
    const [, pod = line, namespace = '', reason = ''] = /^(([^/\s]+)\/\S+) \((.*)\)$/.exec(line) ?? [];
    const [, names = ''] = /^budget (\S+(?: and \S+)*)$/.exec(reason) ?? [];
    return {
      pod,
      reason,
      budgets: names === '' ? [] : names.split(' and ').map((name) => `${namespace}/${name}`),
    };
  });

/** The budgets that hold the pods of a node, each once. */
export const holdingBudgets = (leaving: Pick<LeavingView, 'waitingFor'>): readonly string[] => [
  ...new Set(heldPods(leaving).flatMap(({ budgets }) => budgets)),
];

/** The name of a budget without its namespace. */
export const budgetName = (name: string): string => name.split('/').at(-1) ?? name;

/** What a budget allows, and what the operator can do about it: `strict allows 0 of 1: scale its workload to 2, or relax it`. */
export function remedyOf(budget: BudgetView): string {
  const { name, allowed, healthy, desired, expected, enoughReplicas, failure } = budget;
  const words = `${budgetName(name)} allows ${allowed} of ${expected}`;
  if (allowed > 0) return words;
  if (failure !== undefined) return `${words}: Kubernetes cannot count its pods: ${failure}`;
  if (healthy > desired) return `${words}: wait for the pod that was just evicted`;
  if (expected > desired)
    return `${words}: ${healthy} are healthy and it keeps ${desired}, so wait for ${desired + 1 - healthy} more`;
  return enoughReplicas === undefined
    ? `${words} at any size of its workload: relax it`
    : `${words}: scale its workload to ${enoughReplicas}, or relax it`;
}
