import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodIdentity } from '../nodes/cluster.ts';
import type { DaemonSetLookups } from './daemon-sets.ts';
import type { DrainOptions } from './drain-options.ts';
import type { PodVerdict } from './pod-verdict.ts';
import type { Tier } from './tiers.ts';

export interface DrainPlanInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds at which the node must be empty; undefined or Infinity: there is no deadline. */
  readonly deadline?: number | undefined;
  /** Epoch milliseconds until which a late pod may use its grace, where that is later than the deadline. */
  readonly limit?: number | undefined;
  /** Every pod of the node, as listed. */
  readonly pods: readonly Pod[];
  readonly options: DrainOptions;
  readonly daemonSets: DaemonSetLookups;
  /** By UID: the budgets that hold a pod, from `budgetsHolding` or from the API server's answer. */
  readonly heldBy?: ReadonlyMap<string, readonly string[]>;
  /** Epoch milliseconds at which the drain began: a pod that is held for long is asked for less often. */
  readonly since?: number;
  /** Absent: the kubelet answers. */
  readonly kubelet?: KubeletState;
  /**
   * What happens at the deadline to pods that refuse. False: they stay, as with kubectl. True: they are deleted with their
   * grace like every other pod, because the instance terminates anyway.
   */
  readonly deleteRefusedAtDeadline?: boolean;
}

/**
 * - `answers`: the kubelet ends pods;
 * - `silent`: the kubelet does not report (dead, or cut off), so the API will never show the end of a pod past its grace.
 */
export type KubeletState = 'answers' | 'silent';

/** One pod and what the drain does with it. */
export interface PlannedPod extends PodIdentity, PodVerdict {
  readonly tier: Tier;
  /** Pods of one workload in one state of health: a budget treats them alike. */
  readonly workload: string;
  /** Epoch milliseconds at which its grace ends, if it terminates already. */
  readonly terminatesAt?: number;
  /** How long it may take to end once it is evicted or deleted. */
  readonly mayTakeSeconds: number;
  /** The grace that the call must name, where that is not the pod's own. */
  readonly gracePeriodSeconds?: number;
  /** Epoch milliseconds from which it is deleted rather than evicted; absent without a deadline. */
  readonly deletesAt?: number;
  /** It is deleted now, whatever its tier and its budget. */
  readonly atDeadline?: true;
  readonly heldBy?: readonly string[];
}

/** One call to make now. */
export interface DrainAction {
  readonly kind: 'evict' | 'delete';
  readonly pod: PodIdentity;
  readonly workload: string;
  readonly gracePeriodSeconds?: number;
}

export interface DrainPlan {
  /** All pods of the node, by namespace and name. */
  readonly pods: readonly PlannedPod[];
  /** The pods that refuse: while there is one, no pod is evicted. */
  readonly refused: readonly PlannedPod[];
  /** The tier that is evicted now; undefined when no pod is left. */
  readonly currentTier?: Tier;
  readonly actions: readonly DrainAction[];
  /** Every pod that must go before the drain is complete, of all tiers. */
  readonly waitingFor: readonly PlannedPod[];
  /** Seconds until a check is likely to find a change; 0 when complete. */
  readonly nextCheckAfterSeconds: number;
  /** No pod refuses, and the drain waits for none. */
  readonly complete: boolean;
}
