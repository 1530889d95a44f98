import type { DrainPlan, DrainPlanInput, PlannedPod } from './drain-plan.ts';
import type { ActionAnswer } from './evict-pods.ts';
import { expectedChangeOf, secondsToNextCheck } from './next-check.ts';

/** How far a drain is after the actions of one pass. */
export interface DrainProgress {
  /** The pods that the drain still waits for, each with the reason, in words for an operator. */
  readonly waitingFor: readonly WaitingPod[];
  readonly nextCheckAfterSeconds: number;
  readonly counts: Readonly<Record<ActionAnswer['kind'], number>>;
}

export interface WaitingPod {
  readonly pod: PlannedPod;
  readonly why: string;
  /** Its eviction was refused: by a budget, or for a cause that only a person can mend (a missing right, an admission webhook). */
  readonly held: boolean;
}

/** Combines a plan with the API server's answers to its actions. Pure. */
export function drainProgress(
  plan: DrainPlan,
  answers: ReadonlyMap<string, ActionAnswer>,
  input: Pick<DrainPlanInput, 'now' | 'since'>,
): DrainProgress {
  const left = plan.waitingFor.filter((pod) => answers.get(pod.uid)?.kind !== 'gone');
  const changes = left.map((pod) =>
    expectedChangeOf(pod, { ...input, currentTier: plan.currentTier, answers }),
  );
  const isEmpty = left.length === 0 && plan.refused.length === 0;
  return {
    waitingFor: [...plan.refused, ...left].map((pod) =>
      waitingPod(pod, { plan, answer: answers.get(pod.uid) }),
    ),
    nextCheckAfterSeconds: isEmpty ? 1 : secondsToNextCheck(input.now, { changes, refused: plan.refused }),
    counts: countAnswers(answers),
  };
}

/** One line for the Node's annotation and for people: `shop/web-7f9 (budget web)`. */
export const describeWaitingPod = ({ pod, why }: WaitingPod): string =>
  `${pod.namespace}/${pod.name} (${why})`;

const refusals: ReadonlySet<ActionAnswer['kind']> = new Set(['held', 'several-budgets', 'refused']);

interface AnsweredPlan {
  readonly plan: DrainPlan;
  readonly answer: ActionAnswer | undefined;
}

function waitingPod(pod: PlannedPod, answered: AnsweredPlan): WaitingPod {
  const held = answered.answer !== undefined && refusals.has(answered.answer.kind);
  return { pod, why: reasonToWait(pod, answered), held };
}

function reasonToWait(pod: PlannedPod, { plan, answer }: AnsweredPlan): string {
  if (pod.verdict === 'refuse') return pod.reason;
  if (answer && 'message' in answer) return budgetText(pod, answer.message);
  if (answer || pod.terminatesAt !== undefined) return 'terminating';
  if (plan.refused.length > 0) return 'another pod refuses the drain';
  return `its tier (${pod.tier}) comes later`;
}

/** The API server names the budget in its message, which saves a list of all budgets. */
function budgetText({ heldBy }: PlannedPod, message: string): string {
  if (heldBy) return `budget ${heldBy.join(' and ')}`;
  const named = /^The disruption budget (\S+) /.exec(message)?.[1];
  return named === undefined ? message : `budget ${named}`;
}

function countAnswers(answers: ReadonlyMap<string, ActionAnswer>): DrainProgress['counts'] {
  const counts = {
    evicted: 0,
    deleted: 0,
    gone: 0,
    held: 0,
    throttled: 0,
    'no-answer': 0,
    postponed: 0,
    'namespace-terminating': 0,
    'several-budgets': 0,
    refused: 0,
  };
  for (const { kind } of answers.values()) counts[kind] += 1;
  return counts;
}
