import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { ownGraceSeconds, terminatesAt } from './pod-facts.ts';

/** Deletion stamps have whole seconds: one that looks this much too late is not. */
const stampSlackMilliseconds = 1000;

export interface GraceInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds at which the node must be empty; undefined or Infinity: there is no such time. */
  readonly deadline?: number | undefined;
  /**
   * Epoch milliseconds until which a pod that is late may use its grace, where that is later than the deadline (an outage
   * was in between); absent: the deadline.
   */
  readonly limit?: number | undefined;
  /** The operator's, in place of the pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
}

/** Epoch milliseconds from which the pod is deleted rather than evicted: the deadline less its grace. */
export function deletesAt(pod: Pod, input: GraceInput): number {
  if (input.deadline === undefined) return Infinity;
  return input.deadline - (input.gracePeriodSeconds ?? ownGraceSeconds(pod)) * 1000;
}

/**
 * The grace with which the pod must be deleted now, past every budget; undefined while there is still time to ask.
 * It is what still fits before the deadline, never more than the pod's own and never less than a second: a grace of 0
 * would drop the pod from the API at once while its containers still run.
 */
export function deadlineGraceSeconds(pod: Pod, input: GraceInput): number | undefined {
  const deadline = input.deadline ?? Infinity;
  if (input.now < deletesAt(pod, input)) return undefined;
  const own = input.gracePeriodSeconds ?? ownGraceSeconds(pod);
  const end = Math.max(deadline, input.limit ?? deadline);
  const fits = Math.max(1, Math.min(own, Math.floor((end - input.now) / 1000)));
  return isOnTime(pod, { deadline, endsBy: input.now + fits * 1000 }) ? undefined : fits;
}

/** Whether it is already terminating, and no later than deleting it again would bring about. */
function isOnTime(pod: Pod, { deadline, endsBy }: { deadline: number; endsBy: number }): boolean {
  const endsAt = terminatesAt(pod);
  return endsAt !== undefined && endsAt <= Math.max(deadline, endsBy) + stampSlackMilliseconds;
}
