import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodIdentity } from './cluster.ts';
import type { DaemonSetLookups } from './daemon-sets.ts';
import type { DrainOptions } from './drain-options.ts';
import type { Tier } from './tiers.ts';
import type { PodVerdict } from './verdict.ts';

export interface PlanInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds at which the node must be empty; undefined or Infinity: whenever it is. */
  readonly deadline?: number | undefined;
  /** Epoch milliseconds until which a pod that is late may use its grace, where that is later than the deadline. */
  readonly limit?: number | undefined;
  /** Every pod of the node, as listed. */
  readonly pods: readonly Pod[];
  readonly options: DrainOptions;
  readonly daemonSets: DaemonSetLookups;
  /** By UID: the budgets that hold a pod, from `budgetsHolding` or from what the API server said. */
  readonly heldBy?: ReadonlyMap<string, readonly string[]>;
  /** Epoch milliseconds at which the drain began: what is held for long is asked for less often. */
  readonly since?: number;
  /** What is known of the machine; absent: it runs and answers. */
  readonly machine?: MachineState;
  /**
   * What happens to pods that refuse once their time has come. Without it they stay untouched to the end, as with
   * kubectl; with it they are deleted with their grace like everything else, for an instance that terminates anyway.
   */
  readonly deleteRefusedAtDeadline?: boolean;
}

/**
 * - `answers`: its kubelet ends pods;
 * - `silent`: its kubelet does not report (dead, or cut off): a pod past its grace will never be seen to end.
 */
export type MachineState = 'answers' | 'silent';

/** One pod and what is to become of it. */
export interface PlannedPod extends PodIdentity, PodVerdict {
  readonly tier: Tier;
  /** Pods of one workload in one state of health: what a budget says to the first it says to all. */
  readonly workload: string;
  /** Epoch milliseconds at which its grace ends, if it is on its way already. */
  readonly terminatesAt?: number;
  /** How long it may take from the moment it is asked to leave. */
  readonly mayTakeSeconds: number;
  /** The grace that the call must name, where that is not the pod's own. */
  readonly gracePeriodSeconds?: number;
  /** Epoch milliseconds from which it is deleted rather than evicted; absent without a deadline. */
  readonly deletesAt?: number;
  /** Its time has come: it is deleted now, whatever its tier and its budget. */
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
  /** Those that refuse: while there is one, nothing is evicted. */
  readonly refused: readonly PlannedPod[];
  /** The tier that leaves now; undefined when everything has left. */
  readonly currentTier?: Tier;
  readonly actions: readonly DrainAction[];
  /** Every pod that the drain is not over without, of all tiers. */
  readonly waitingFor: readonly PlannedPod[];
  /** Seconds until a look is likely to find something changed; 0 when complete. */
  readonly nextLookAfterSeconds: number;
  /** Nothing refuses and nothing is waited for. */
  readonly complete: boolean;
}
