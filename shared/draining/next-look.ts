import type { ActionAnswer } from './act.ts';
import type { PlannedPod } from './plan-types.ts';
import type { Tier } from './tiers.ts';

/** When something is likely to change for one pod, in epoch milliseconds. */
export interface Outlook {
  /** It leaves by itself, and is gone by then. */
  readonly endsBy?: number;
  /** It must be asked again then. */
  readonly asksAt?: number;
  /** It is deleted past its budget then. */
  readonly deletesAt?: number;
}

/** kubelets need a moment to report, and deletion stamps have whole seconds. */
const reportSlackMilliseconds = 2000;
const retrySeconds = 5;
const longestSeconds = 60;

export interface OutlookInput {
  readonly now: number;
  readonly since?: number;
  readonly currentTier: Tier | undefined;
  /** By UID: what came of the actions of this pass; none yet: all are taken to succeed. */
  readonly answers: ReadonlyMap<string, ActionAnswer>;
}

/** What is to be expected of a pod: from its grace and its deadline, and from what was answered to the action on it. */
export function outlookOf(pod: PlannedPod, input: OutlookInput): Outlook {
  const deletesAt = pod.deletesAt !== undefined && pod.deletesAt > input.now ? pod.deletesAt : undefined;
  const forced = deletesAt !== undefined && { deletesAt };
  const answer = input.answers.get(pod.uid);
  if (answer && answer.kind !== 'evicted' && answer.kind !== 'deleted' && answer.kind !== 'gone')
    return { ...forced, asksAt: input.now + pauseSeconds(answer, input) * 1000 };
  if (pod.terminatesAt !== undefined && !pod.atDeadline)
    return { endsBy: endOf(pod.terminatesAt, input.now) };
  if (pod.atDeadline) return { endsBy: input.now + pod.mayTakeSeconds * 1000 + reportSlackMilliseconds };
  if (pod.tier !== input.currentTier) return { ...forced };
  if (!answer && pod.heldBy) return { ...forced, asksAt: input.now + heldPauseSeconds(input) * 1000 };
  return { ...forced, endsBy: input.now + pod.mayTakeSeconds * 1000 + reportSlackMilliseconds };
}

/** A pod that outlives its grace is looked at every few seconds. */
const endOf = (terminatesAt: number, now: number): number =>
  Math.max(terminatesAt + reportSlackMilliseconds, now + retrySeconds * 1000 * Number(terminatesAt < now));

const pauseSeconds = (answer: ActionAnswer, input: OutlookInput): number => {
  if (answer.kind === 'several-budgets' || answer.kind === 'refused') return longestSeconds;
  const asked = 'retryAfterSeconds' in answer ? (answer.retryAfterSeconds ?? 0) : 0;
  return Math.max(asked, answer.kind === 'held' ? heldPauseSeconds(input) : retrySeconds);
};

/** kubectl's five seconds at first; half a minute for what has been held for minutes. */
const heldPauseSeconds = ({ now, since }: OutlookInput): number =>
  Math.min(30, Math.max(retrySeconds, (now - (since ?? now)) / 1000 / 6));

/**
 * Seconds until the next look: when all that leaves by itself is gone, or before, when somebody must be asked again or
 * deleted. At least one and at most 60, since most pods end long before their grace does; 0 when nothing is waited for.
 */
export function nextLook(
  now: number,
  { outlooks, refused }: { readonly outlooks: readonly Outlook[]; readonly refused: readonly unknown[] },
): number {
  if (outlooks.length === 0 && refused.length === 0) return 0;
  const times = (key: keyof Outlook): number[] =>
    outlooks.map((outlook) => outlook[key]).filter((time) => time !== undefined);
  const ends = times('endsBy');
  const settled = ends.length > 0 ? Math.max(...ends) : Infinity;
  const at = Math.min(settled, ...times('asksAt'), ...times('deletesAt'));
  return Math.min(longestSeconds, Math.max(1, Math.ceil((at - now) / 1000)));
}
