import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { DrainPlanInput } from './drain-plan.ts';
import { deadlineGraceSeconds } from './grace.ts';
import { onlyFinalizersRemain, terminatesAt } from './pod-facts.ts';
import { filterPod } from './pod-filters.ts';
import type { PodVerdict } from './pod-verdict.ts';

/** A verdict, with the grace that the call must name where it is not the pod's own. */
export interface PodDecision extends PodVerdict {
  readonly gracePeriodSeconds?: number;
  readonly atDeadline?: true;
}

/** Decides about one pod: first whether waiting can help at all, then kubectl's filters, then the deadline. */
export function decidePod(pod: Pod, input: DrainPlanInput): PodDecision {
  const beyondWaiting = skipWhatWaitingCannotChange(pod, input);
  if (beyondWaiting) return beyondWaiting;
  const filtered = filterPod(pod, input);
  if (filtered.verdict === 'skip') return filtered;
  const refuses = filtered.verdict === 'refuse';
  if (refuses && !input.deleteRefusedAtDeadline) return filtered;
  const { gracePeriodSeconds } = input.options;
  const fits = deadlineGraceSeconds(pod, { ...input, gracePeriodSeconds });
  if (fits !== undefined) return deleteAtDeadline(fits);
  if (refuses) return filtered;
  if (terminatesAt(pod) !== undefined) return { ...filtered, reason: 'is terminating' };
  return { ...filtered, ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) };
}

const deleteAtDeadline = (seconds: number): PodDecision => ({
  verdict: 'delete',
  reason: `the node's deadline leaves it ${seconds} s of grace`,
  gracePeriodSeconds: seconds,
  atDeadline: true,
});

/** A pod whose end no kubelet will report, or one that has stopped and that only finalizers keep. */
function skipWhatWaitingCannotChange(pod: Pod, { kubelet, now }: DrainPlanInput): PodVerdict | undefined {
  if (onlyFinalizersRemain(pod)) return { verdict: 'skip', reason: `has stopped, ${finalizersOf(pod)}` };
  const endsAt = terminatesAt(pod);
  if (kubelet === 'silent' && endsAt !== undefined && endsAt < now)
    return { verdict: 'skip', reason: 'its grace is over and its kubelet does not answer' };
  return undefined;
}

const finalizersOf = (pod: Pod): string => `only finalizers remain (${pod.metadata?.finalizers?.join(', ')})`;
