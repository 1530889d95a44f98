import { noteOnDevices, noteOnRelease } from './device-claims.ts';
import type { ActionAnswer } from './evict-pods.ts';
import type { DrainPlan, DrainPlanInput, PlannedPod, Tier } from './plan-drain.ts';

/** The progress of a drain after the actions of one pass. */
export interface DrainProgress {
  /** The pods that the drain still waits for, each with the reason for an operator. */
  readonly waitingFor: readonly WaitingPod[];
  readonly nextCheckAfterSeconds: number;
  readonly counts: Readonly<Record<ActionAnswer['kind'], number>>;
}

export interface WaitingPod {
  readonly pod: PlannedPod;
  readonly why: string;
  /** The budgets that refused its eviction, as `namespace/name`. Absent if none did. */
  readonly budgets?: readonly string[];
  /** Its eviction was refused, by a budget or for a cause that an operator has to fix (a missing right, an admission webhook), or hangs. */
  readonly held: boolean;
  /** Its grace is over, and it has devices that the kubelet has to release first. Until then nothing but a deletion without grace ends it. */
  readonly keepsDevices?: true;
}

/** Combines a plan with the results of its actions. Pure. */
export function drainProgress(
  plan: DrainPlan,
  answers: ReadonlyMap<string, ActionAnswer>,
  input: Pick<DrainPlanInput, 'now' | 'since'>,
): DrainProgress {
  const left = plan.waitingFor.filter((pod) => answers.get(pod.uid)?.kind !== 'gone');
  const changes = left.map((pod) =>
    expectedChangeOf(pod, { ...input, currentTier: plan.currentTier, answers }),
  );
  const isServerAway = [...answers.values()].every(
    ({ kind }) => kind === 'no-answer' || kind === 'postponed',
  );
  const isEmpty = left.length === 0 && plan.refused.length === 0;
  return {
    waitingFor: [...plan.refused, ...left].map((pod) =>
      waitingPod(pod, { plan, answer: answers.get(pod.uid), isServerAway, now: input.now }),
    ),
    nextCheckAfterSeconds: isEmpty ? 1 : secondsToNextCheck(input.now, { changes, refused: plan.refused }),
    counts: countAnswers(answers),
  };
}

/** One line for the Node's annotation and for operators: `shop/web-7f9 (budget web)`. */
export const describeWaitingPod = ({ pod, why }: WaitingPod): string =>
  `${pod.namespace}/${pod.name} (${why})`;

const refusals: ReadonlySet<ActionAnswer['kind']> = new Set(['held', 'several-budgets', 'refused']);

interface AnsweredPlan {
  readonly plan: DrainPlan;
  readonly answer: ActionAnswer | undefined;
  /** No call has got a response, so a missing one is not about its pod. */
  readonly isServerAway: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

function waitingPod(pod: PlannedPod, answered: AnsweredPlan): WaitingPod {
  const { answer, isServerAway } = answered;
  const hangs = answer?.kind === 'no-answer' && !isServerAway;
  const held = pod.heldUntil !== undefined || (answer !== undefined && (refusals.has(answer.kind) || hangs));
  const { devices = [], terminatesAt } = pod;
  const release = noteOnRelease(devices, { terminatesAt, now: answered.now });
  // A budget may wait for a replacement that its devices keep Pending.
  const note = answer?.kind === 'held' ? noteOnDevices(devices) : release;
  const why = reasonToWait(pod, answered);
  const budgets = budgetsNamed(pod, answer);
  return {
    pod,
    why: note === undefined ? why : `${why}; ${note}`,
    held,
    ...(budgets.length > 0 && { budgets }),
    ...(release !== undefined && { keepsDevices: true }),
  };
}

function reasonToWait(pod: PlannedPod, { plan, answer }: AnsweredPlan): string {
  if (pod.verdict === 'refuse' || pod.heldUntil !== undefined) return pod.reason;
  if (answer && 'message' in answer) return budgetText(pod, answer.message);
  if (answer || pod.terminatesAt !== undefined) return 'terminating';
  if (plan.refused.length > 0) return 'another pod refuses the drain';
  return `its tier (${pod.tier}) comes later`;
}

/** The API server names the budget in its message, so the budgets need not be listed. */
const budgetIn = (message: string): string | undefined => /^The disruption budget (\S+) /.exec(message)?.[1];

function budgetText({ heldBy }: PlannedPod, message: string): string {
  if (heldBy) return `budget ${heldBy.join(' and ')}`;
  const named = budgetIn(message);
  return named === undefined ? message : `budget ${named}`;
}

/** A budget has the namespace of its pods. */
function budgetsNamed(
  { namespace, heldBy }: PlannedPod,
  answer: ActionAnswer | undefined,
): readonly string[] {
  if (!answer || !('message' in answer) || answer.kind === 'postponed') return [];
  const named = budgetIn(answer.message);
  return (heldBy ?? (named === undefined ? [] : [named])).map((name) => `${namespace}/${name}`);
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

/** When something is likely to change for one pod, in epoch milliseconds. */
interface ExpectedChange {
  /** The pod is terminating, and will be gone by then. */
  readonly endsBy?: number;
  /** The eviction must be retried then. */
  readonly asksAt?: number;
  /** The pod will be deleted then, past its budget. */
  readonly deletesAt?: number;
}

/** Kubelets need a moment to report, and deletion timestamps have whole seconds. */
const reportSlackMilliseconds = 2000;
const retrySeconds = 5;
/** A new pod takes at least so long to be Ready, and the pass has no watch that shows it. */
const rolloutCheckSeconds = 10;
const longestSeconds = 60;

interface ExpectedChangeInput {
  readonly now: number;
  readonly since?: number;
  readonly currentTier: Tier | undefined;
  /** The results of the actions of this pass, by UID. An action without a result is expected to succeed. */
  readonly answers: ReadonlyMap<string, ActionAnswer>;
}

/** What to expect of a pod, by its grace period, its deadline and the result of the action on it. */
export function expectedChangeOf(pod: PlannedPod, input: ExpectedChangeInput): ExpectedChange {
  const deletesAt = pod.deletesAt !== undefined && pod.deletesAt > input.now ? pod.deletesAt : undefined;
  const forced = deletesAt !== undefined && { deletesAt };
  const answer = input.answers.get(pod.uid);
  if (answer && answer.kind !== 'evicted' && answer.kind !== 'deleted' && answer.kind !== 'gone')
    return { ...forced, asksAt: input.now + pauseSeconds(answer, input) * 1000 };
  if (pod.terminatesAt !== undefined && !pod.atDeadline)
    return { endsBy: endOf(pod.terminatesAt, input.now) };
  const endsBy = input.now + pod.mayTakeSeconds * 1000 + reportSlackMilliseconds;
  if (pod.atDeadline) return { endsBy };
  if (pod.byRollout) return { ...forced, asksAt: input.now + rolloutCheckSeconds * 1000 };
  if (pod.heldUntil !== undefined) return { ...forced, asksAt: pod.heldUntil };
  if (pod.tier !== input.currentTier) return { ...forced };
  if (!answer && pod.heldBy) return { ...forced, asksAt: input.now + heldPauseSeconds(input) * 1000 };
  return { ...forced, endsBy };
}

/** A pod that outlives its grace period is checked every few seconds. */
const endOf = (terminatesAt: number, now: number): number =>
  Math.max(terminatesAt + reportSlackMilliseconds, now + retrySeconds * 1000 * Number(terminatesAt < now));

const pauseSeconds = (answer: ActionAnswer, input: ExpectedChangeInput): number => {
  if (answer.kind === 'several-budgets' || answer.kind === 'refused') return longestSeconds;
  const asked = 'retryAfterSeconds' in answer ? (answer.retryAfterSeconds ?? 0) : 0;
  return Math.max(asked, answer.kind === 'held' ? heldPauseSeconds(input) : retrySeconds);
};

/** At first five seconds, as in kubectl; up to half a minute for a pod that a budget has held for minutes. */
const heldPauseSeconds = ({ now, since }: ExpectedChangeInput): number =>
  Math.min(30, Math.max(retrySeconds, (now - (since ?? now)) / 1000 / 6));

/**
 * Seconds until the next check: when all terminating pods are gone, or earlier if a pod must be evicted again or deleted. Between 1 and
 * 60, because most pods end long before their grace period does; 0 if there is no pod to wait for.
 */
export function secondsToNextCheck(
  now: number,
  { changes, refused }: { readonly changes: readonly ExpectedChange[]; readonly refused: readonly unknown[] },
): number {
  if (changes.length === 0 && refused.length === 0) return 0;
  const times = (key: keyof ExpectedChange): number[] =>
    changes.map((change) => change[key]).filter((time) => time !== undefined);
  const ends = times('endsBy');
  const allEnded = ends.length > 0 ? Math.max(...ends) : Infinity;
  const at = Math.min(allEnded, ...times('asksAt'), ...times('deletesAt'));
  return Math.min(longestSeconds, Math.max(1, Math.ceil((at - now) / 1000)));
}
