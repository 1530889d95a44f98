import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { deadlineGraceSeconds } from './grace.ts';
import type { PlanInput } from './plan-types.ts';
import { onlyFinalizersRemain, terminatesAt } from './pod-facts.ts';
import { filterPod } from './pod-filters.ts';
import type { PodVerdict } from './verdict.ts';

/** A verdict, with the grace that goes with it where it is not the pod's own. */
export interface Judgement extends PodVerdict {
  readonly gracePeriodSeconds?: number;
  readonly atDeadline?: true;
}

/** Judges one pod: what cannot answer first, then kubectl's filters, then the deadline. */
export function judgePod(pod: Pod, input: PlanInput): Judgement {
  const beyondWaiting = withoutWaiting(pod, input);
  if (beyondWaiting) return beyondWaiting;
  const filtered = filterPod(pod, input);
  if (filtered.verdict === 'skip') return filtered;
  const refuses = filtered.verdict === 'refuse';
  if (refuses && !input.deleteRefusedAtDeadline) return filtered;
  const fits = deadlineGraceSeconds(pod, { ...input, gracePeriodSeconds: input.options.gracePeriodSeconds });
  if (fits !== undefined) return atDeadline(fits);
  if (refuses) return filtered;
  if (terminatesAt(pod) !== undefined) return { ...filtered, reason: 'is terminating' };
  return withAskedGrace(filtered, input.options.gracePeriodSeconds);
}

const atDeadline = (seconds: number): Judgement => ({
  verdict: 'delete',
  reason: `the node's deadline leaves it ${seconds} s of grace`,
  gracePeriodSeconds: seconds,
  atDeadline: true,
});

const withAskedGrace = (verdict: PodVerdict, gracePeriodSeconds: number | undefined): Judgement => ({
  ...verdict,
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
});

/** What no waiting will change: a pod that nobody can see end, or one that has ended and is only still written down. */
function withoutWaiting(pod: Pod, { machine, now }: PlanInput): PodVerdict | undefined {
  if (onlyFinalizersRemain(pod)) return { verdict: 'skip', reason: `has stopped, ${finalizersOf(pod)}` };
  const endsAt = terminatesAt(pod);
  if (machine === 'silent' && endsAt !== undefined && endsAt < now)
    return { verdict: 'skip', reason: 'its grace is over and its kubelet does not answer' };
  return undefined;
}

const finalizersOf = (pod: Pod): string => `only finalizers remain (${pod.metadata?.finalizers?.join(', ')})`;
