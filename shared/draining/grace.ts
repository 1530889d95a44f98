import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { ownGraceSeconds, terminatesAt } from './pod-facts.ts';

/** Deletion timestamps have whole seconds, so one that is late by less than this is on time. */
const stampSlackMilliseconds = 1000;

interface GraceInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds at which the node must be empty. There is no such time if it is undefined or Infinity. */
  readonly deadline?: number | undefined;
  /** Epoch milliseconds until which a late pod, for example after an outage, may use its grace period. Defaults to the deadline. */
  readonly limit?: number | undefined;
  /** Set by the operator, instead of the pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
}

/** Epoch milliseconds from which the pod is deleted rather than evicted: the deadline less its grace period. */
export function deletesAt(pod: Pod, input: GraceInput): number {
  if (input.deadline === undefined) return Infinity;
  return input.deadline - (input.gracePeriodSeconds ?? ownGraceSeconds(pod)) * 1000;
}

/**
 * The grace period with which the pod must be deleted now, past every budget; undefined while there is still time to evict it. It is what
 * still fits before the deadline, never more than the pod's own and never less than a second: a grace period of 0 would remove the pod
 * from the API at once while its containers still run.
 */
export function deadlineGraceSeconds(pod: Pod, input: GraceInput): number | undefined {
  const deadline = input.deadline ?? Infinity;
  if (input.now < deletesAt(pod, input)) return undefined;
  const own = input.gracePeriodSeconds ?? ownGraceSeconds(pod);
  const end = Math.max(deadline, input.limit ?? deadline);
  const fits = Math.max(1, Math.min(own, Math.floor((end - input.now) / 1000)));
  return isOnTime(pod, { deadline, endsBy: input.now + fits * 1000 }) ? undefined : fits;
}

/** Whether the pod is already terminating, and will end no later than if it were deleted again. */
function isOnTime(pod: Pod, { deadline, endsBy }: { deadline: number; endsBy: number }): boolean {
  const endsAt = terminatesAt(pod);
  return endsAt !== undefined && endsAt <= Math.max(deadline, endsBy) + stampSlackMilliseconds;
}
