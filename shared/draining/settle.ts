import type { ActionAnswer } from './act.ts';
import { nextLook, outlookOf } from './next-look.ts';
import type { DrainPlan, PlanInput, PlannedPod } from './plan-types.ts';

/** Where a pass has come to after its actions. */
export interface Settlement {
  /** What the drain still waits for, each with the reason, in words for an operator. */
  readonly waitingFor: readonly WaitingPod[];
  readonly nextLookAfterSeconds: number;
  readonly counts: Readonly<Record<ActionAnswer['kind'], number>>;
}

export interface WaitingPod {
  readonly pod: PlannedPod;
  readonly why: string;
  /** Its eviction was refused: by a budget, or for what only a person can mend (a missing right, an admission webhook). */
  readonly held: boolean;
}

/**
 * Reads a plan together with what the API server said to its actions: who is still waited for and why, and when to look
 * again. Pure.
 */
export function settle(
  plan: DrainPlan,
  answers: ReadonlyMap<string, ActionAnswer>,
  input: Pick<PlanInput, 'now' | 'since'>,
): Settlement {
  const left = plan.waitingFor.filter((pod) => answers.get(pod.uid)?.kind !== 'gone');
  const outlooks = left.map((pod) => outlookOf(pod, { ...input, currentTier: plan.currentTier, answers }));
  const isEmpty = left.length === 0 && plan.refused.length === 0;
  return {
    waitingFor: [...plan.refused, ...left].map((pod) => waiting(pod, { plan, answer: answers.get(pod.uid) })),
    nextLookAfterSeconds: isEmpty ? 1 : nextLook(input.now, { outlooks, refused: plan.refused }),
    counts: countAnswers(answers),
  };
}

const refusals: ReadonlySet<ActionAnswer['kind']> = new Set(['held', 'several-budgets', 'refused']);

function waiting(
  pod: PlannedPod,
  { plan, answer }: { readonly plan: DrainPlan; readonly answer: ActionAnswer | undefined },
): WaitingPod {
  const held = answer !== undefined && refusals.has(answer.kind);
  return { pod, why: reasonToWait(pod, { plan, answer }), held };
}

function reasonToWait(
  pod: PlannedPod,
  { plan, answer }: { readonly plan: DrainPlan; readonly answer: ActionAnswer | undefined },
): string {
  if (pod.verdict === 'refuse') return pod.reason;
  if (answer && 'message' in answer) return budgetWords(pod, answer.message);
  if (answer || pod.terminatesAt !== undefined) return 'terminating';
  if (plan.refused.length > 0) return 'another pod refuses the drain';
  return `its tier (${pod.tier}) comes later`;
}

/** The API server names the budget in its message; that spares a list of all budgets. */
function budgetWords({ heldBy }: PlannedPod, message: string): string {
  if (heldBy) return `budget ${heldBy.join(' and ')}`;
  const named = /^The disruption budget (\S+) /.exec(message)?.[1];
  return named === undefined ? message : `budget ${named}`;
}

function countAnswers(answers: ReadonlyMap<string, ActionAnswer>): Settlement['counts'] {
  const counts = {
    evicted: 0,
    deleted: 0,
    gone: 0,
    held: 0,
    throttled: 0,
    postponed: 0,
    'namespace-terminating': 0,
    'several-budgets': 0,
    refused: 0,
  };
  for (const { kind } of answers.values()) counts[kind] += 1;
  return counts;
}
