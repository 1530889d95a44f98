import type { PlannedPod } from './drain-plan.ts';
import type { ActionAnswer } from './evict-pods.ts';
import type { Tier } from './tiers.ts';

/** When something is likely to change for one pod, in epoch milliseconds. */
export interface ExpectedChange {
  /** The pod terminates by itself, and is gone by then. */
  readonly endsBy?: number;
  /** The eviction must be repeated then. */
  readonly asksAt?: number;
  /** The pod is deleted then, past its budget. */
  readonly deletesAt?: number;
}

/** Kubelets need a moment to report, and deletion timestamps have whole seconds. */
const reportSlackMilliseconds = 2000;
const retrySeconds = 5;
const longestSeconds = 60;

export interface ExpectedChangeInput {
  readonly now: number;
  readonly since?: number;
  readonly currentTier: Tier | undefined;
  /** By UID: the answers to the actions of this pass. Without answers every action is expected to succeed. */
  readonly answers: ReadonlyMap<string, ActionAnswer>;
}

/** What to expect of a pod, by its grace, its deadline and the answer to the action on it. */
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
  if (pod.tier !== input.currentTier) return { ...forced };
  if (!answer && pod.heldBy) return { ...forced, asksAt: input.now + heldPauseSeconds(input) * 1000 };
  return { ...forced, endsBy };
}

/** A pod that outlives its grace is checked every few seconds. */
const endOf = (terminatesAt: number, now: number): number =>
  Math.max(terminatesAt + reportSlackMilliseconds, now + retrySeconds * 1000 * Number(terminatesAt < now));

const pauseSeconds = (answer: ActionAnswer, input: ExpectedChangeInput): number => {
  if (answer.kind === 'several-budgets' || answer.kind === 'refused') return longestSeconds;
  const asked = 'retryAfterSeconds' in answer ? (answer.retryAfterSeconds ?? 0) : 0;
  return Math.max(asked, answer.kind === 'held' ? heldPauseSeconds(input) : retrySeconds);
};

/** kubectl's five seconds at first; up to half a minute for a pod that a budget has held for minutes. */
const heldPauseSeconds = ({ now, since }: ExpectedChangeInput): number =>
  Math.min(30, Math.max(retrySeconds, (now - (since ?? now)) / 1000 / 6));

/**
 * Seconds until the next check: when all pods that terminate by themselves are gone, or earlier when a pod must be evicted
 * again or deleted. Between 1 and 60, since most pods end long before their grace does; 0 when the drain waits for no pod.
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
