import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodIdentity } from '../nodes/cluster.ts';
import type { DaemonSetLookups } from './daemon-sets.ts';
import { claimsOfDevices, type DeviceClaim } from './device-claims.ts';
import { expectedChangeOf, secondsToNextCheck } from './drain-progress.ts';
import {
  identityOf,
  isDaemonSetPod,
  onlyFinalizersRemain,
  ownGraceSeconds,
  terminatesAt,
  toleratesCordon,
  workloadOf,
} from './pod-facts.ts';
import { type DrainOptions, filterPod, type PodVerdict } from './pod-filters.ts';
import { asksForRestart } from './rollout-restart.ts';

export interface DrainPlanInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds at which the node must be empty. There is no deadline if it is undefined or Infinity. */
  readonly deadline?: number | undefined;
  /** Epoch milliseconds until which a late pod may use its grace period, if that is later than the deadline. */
  readonly limit?: number | undefined;
  /** Every pod of the node, as listed. */
  readonly pods: readonly Pod[];
  readonly options: DrainOptions;
  readonly daemonSets: DaemonSetLookups;
  /** The budgets that hold a pod, by its UID: from `budgetsHolding` or from the response of the API server. */
  readonly heldBy?: ReadonlyMap<string, readonly string[]>;
  /**
   * Epoch milliseconds at which the drain began. The eviction of a pod that has been held for long is retried less often, and a pod that
   * returns in spite of the cordon is not waited for.
   */
  readonly since?: number;
  /** Pods that something holds, by UID. Such a pod is neither evicted nor deleted before its hold ends, and has a deadline of its own after that. */
  readonly holds?: ReadonlyMap<string, PodHold>;
  /** Defaults to `answers`. */
  readonly kubelet?: KubeletState;
  /**
   * Whether pods that refuse are deleted at the deadline, with their grace period like every other pod, because the instance terminates
   * anyway. By default they stay, as with kubectl.
   */
  readonly deleteRefusedAtDeadline?: boolean;
}

/** A pod that asks to finish, or that a rollout is about to replace. */
export interface PodHold {
  /** Until when it is left alone, in epoch milliseconds. */
  readonly until: number;
  /** When its pod must be gone, in epoch milliseconds. */
  readonly deadline: number;
  /** What holds it, in words for the operator. */
  readonly why: string;
  /** A rollout is about to replace it. */
  readonly byRollout?: true;
}

/**
 * - `answers`: the kubelet ends pods;
 * - `silent`: the kubelet does not report (it is dead or cut off), so the API will never show that a pod has ended.
 */
type KubeletState = 'answers' | 'silent';

/** One pod and what the drain does with it. */
export interface PlannedPod extends PodIdentity, PodVerdict {
  readonly tier: Tier;
  /** The workload and whether the pod is Ready: a budget treats such pods alike. */
  readonly workload: string;
  /** Epoch milliseconds at which its grace period ends, if it is terminating. */
  readonly terminatesAt?: number;
  /** How long it may take to end once it is evicted or deleted. */
  readonly mayTakeSeconds: number;
  /** The grace period of the call, if it is not the pod's own. */
  readonly gracePeriodSeconds?: number;
  /** Epoch milliseconds from which it is deleted rather than evicted; undefined without a deadline. */
  readonly deletesAt?: number;
  /** It is deleted now, whatever its tier and its budget. */
  readonly atDeadline?: true;
  readonly heldBy?: readonly string[];
  /** Epoch milliseconds until which it is left alone; undefined if nothing holds it now. */
  readonly heldUntil?: number;
  /** A rollout is about to replace it, so it may end at any time. */
  readonly byRollout?: true;
  /** Undefined without devices. */
  readonly devices?: readonly DeviceClaim[];
  /** Its Deployment asks for a rollout before an eviction, which only the function node-leaving makes. */
  readonly asksForRestart?: true;
}

/** One call to make now. */
export interface DrainAction {
  readonly kind: 'evict' | 'delete';
  readonly pod: PodIdentity;
  readonly workload: string;
  readonly gracePeriodSeconds?: number;
  /** A pod that is deleted again with less grace. The first deletion is the cause of its end. */
  readonly isTerminating?: true;
}

export interface DrainPlan {
  /** All pods of the node, by namespace and name. */
  readonly pods: readonly PlannedPod[];
  /** The pods that refuse. While there is one, no pod is evicted. */
  readonly refused: readonly PlannedPod[];
  /** The tier that is evicted now; undefined when no pod is left. */
  readonly currentTier?: Tier;
  readonly actions: readonly DrainAction[];
  /** Every pod, of any tier, that must go before the drain is complete. */
  readonly waitingFor: readonly PlannedPod[];
  /** Seconds until a check is likely to find a change; 0 if complete. */
  readonly nextCheckAfterSeconds: number;
  /** No pod refuses, and there is no pod to wait for. */
  readonly complete: boolean;
}

/**
 * Plans what a drain does now: kubectl's filters, Karpenter's tiers, and the deadline, at which a pod is deleted with the grace period that
 * still fits. It is pure and accepts any input. The same input gives the same plan, and after the actions of a plan have been carried
 * out, the next plan does not repeat them.
 */
export function planDrain(input: DrainPlanInput): DrainPlan {
  const pods = input.pods.map((pod) => planPod(pod, withOwnDeadline(pod, input))).toSorted(byName);
  const refused = pods.filter((pod) => pod.verdict === 'refuse');
  const waitingFor = pods.filter((pod) => pod.verdict === 'evict' || pod.verdict === 'delete');
  const currentTier = firstTier(waitingFor);
  const actions = waitingFor
    .filter((pod) => isDue(pod, { currentTier, refused: refused.length > 0 }))
    .map(actionFor);
  const changes = waitingFor.map((pod) =>
    expectedChangeOf(pod, { ...input, currentTier, answers: new Map() }),
  );
  return {
    pods,
    refused,
    ...(currentTier && { currentTier }),
    actions,
    waitingFor,
    nextCheckAfterSeconds: secondsToNextCheck(input.now, { changes, refused }),
    complete: refused.length === 0 && waitingFor.length === 0,
  };
}

/** The input for a pod that is held: it has its own deadline, and none before its hold has ended. */
function withOwnDeadline(pod: Pod, input: DrainPlanInput): DrainPlanInput {
  const hold = input.holds?.get(identityOf(pod).uid);
  if (hold === undefined) return input;
  return { ...input, deadline: input.now < hold.until ? Infinity : hold.deadline };
}

function planPod(pod: Pod, input: DrainPlanInput): PlannedPod {
  const { gracePeriodSeconds } = input.options;
  const decision = decidePod(pod, input);
  const heldBy = input.heldBy?.get(identityOf(pod).uid) ?? [];
  const endsAt = terminatesAt(pod);
  const forcedAt = deletesAt(pod, { ...input, gracePeriodSeconds });
  const devices = claimsOfDevices(pod);
  return {
    ...identityOf(pod),
    tier: tierOf(pod),
    workload: workloadOf(pod),
    mayTakeSeconds: decision.gracePeriodSeconds ?? gracePeriodSeconds ?? ownGraceSeconds(pod),
    ...(endsAt !== undefined && { terminatesAt: endsAt }),
    ...(forcedAt < Infinity && { deletesAt: forcedAt }),
    ...decision,
    ...(heldBy.length > 0 && { heldBy }),
    ...(devices.length > 0 && { devices }),
    ...(asksForRestart(pod) && { asksForRestart: true }),
  };
}

/** At its deadline a pod is deleted, whatever its tier and even if other pods refuse. Before that, pods go tier by tier. */
function isDue(
  pod: PlannedPod,
  { currentTier, refused }: { readonly currentTier: Tier | undefined; readonly refused: boolean },
): boolean {
  if (pod.atDeadline) return true;
  return (
    pod.terminatesAt === undefined && pod.heldUntil === undefined && pod.tier === currentTier && !refused
  );
}

const actionFor = ({
  verdict,
  workload,
  gracePeriodSeconds,
  terminatesAt,
  ...pod
}: PlannedPod): DrainAction => ({
  kind: verdict === 'delete' ? 'delete' : 'evict',
  pod: { namespace: pod.namespace, name: pod.name, uid: pod.uid },
  workload,
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  ...(terminatesAt !== undefined && { isTerminating: true }),
});

const byName = (one: PlannedPod, other: PlannedPod): number =>
  compare(one.namespace, other.namespace) || compare(one.name, other.name);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A verdict, with the grace period of the call if it is not the pod's own. */
interface PodDecision extends PodVerdict {
  readonly gracePeriodSeconds?: number;
  readonly atDeadline?: true;
  readonly heldUntil?: number;
  readonly byRollout?: true;
}

/** Decides about one pod: first whether waiting can help at all, then by kubectl's filters, then by the deadline. */
function decidePod(pod: Pod, input: DrainPlanInput): PodDecision {
  const beyondWaiting = skipWhatWaitingCannotChange(pod, input);
  if (beyondWaiting) return beyondWaiting;
  const filtered = filterPod(pod, input);
  if (filtered.verdict === 'skip') return filtered;
  const refuses = filtered.verdict === 'refuse';
  if (refuses && !input.deleteRefusedAtDeadline) return filtered;
  // A pod that the filters refuse holds the drain until the deadline, which may not last as long as it comes back.
  if ((!refuses || isPastDeadline(input)) && isLeftReturned(pod, input))
    return { verdict: 'skip', reason: 'came after the cordon, which it tolerates' };
  const { gracePeriodSeconds } = input.options;
  const fits = deadlineGraceSeconds(pod, { ...input, gracePeriodSeconds });
  if (fits !== undefined) return deleteAtDeadline(fits);
  if (refuses) return filtered;
  if (terminatesAt(pod) !== undefined) return { ...filtered, reason: 'is terminating' };
  const hold = input.holds?.get(identityOf(pod).uid);
  if (hold && input.now < hold.until)
    return {
      ...filtered,
      reason: hold.why,
      heldUntil: hold.until,
      ...(hold.byRollout && { byRollout: true }),
    };
  return { ...filtered, ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) };
}

const isPastDeadline = ({ now, deadline = Infinity }: DrainPlanInput): boolean => now >= deadline;

const deleteAtDeadline = (seconds: number): PodDecision => ({
  verdict: 'delete',
  reason: `the node's deadline leaves it ${seconds} s of grace`,
  gracePeriodSeconds: seconds,
  atDeadline: true,
});

/** Skips a pod whose end the kubelet will not report, or that has stopped and is kept only by finalizers. */
function skipWhatWaitingCannotChange(pod: Pod, { kubelet, now }: DrainPlanInput): PodVerdict | undefined {
  if (onlyFinalizersRemain(pod)) return { verdict: 'skip', reason: `has stopped, ${finalizersOf(pod)}` };
  const endsAt = terminatesAt(pod);
  if (kubelet === 'silent' && endsAt !== undefined && endsAt < now)
    return { verdict: 'skip', reason: 'its grace is over and its kubelet does not answer' };
  return undefined;
}

/** Clocks differ, and creation timestamps have whole seconds. */
const createdSlackMilliseconds = 2000;
const firstReturnMilliseconds = 60_000;

/**
 * Whether a pod is left that tolerates the cordon and was created after it, such as one of a Deployment that tolerates every taint
 * (cilium/cilium#28549): each eviction brings it back. So it leaves again only once it has run for as long as the drain had lasted when it
 * came, and at least a minute; then the drain waits for it as for any pod. At the deadline it is left.
 */
function isLeftReturned(pod: Pod, input: DrainPlanInput): boolean {
  const { now, since } = input;
  const createdAt = Date.parse(pod.metadata?.creationTimestamp ?? '');
  if (since === undefined || !(createdAt > since + createdSlackMilliseconds)) return false;
  if (!toleratesCordon(pod) || terminatesAt(pod) !== undefined) return false;
  const leavesAt = createdAt + Math.max(firstReturnMilliseconds, createdAt - since);
  return now < leavesAt || isPastDeadline(input);
}

const finalizersOf = (pod: Pod): string => `only finalizers remain (${pod.metadata?.finalizers?.join(', ')})`;

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

/**
 * The order in which pods leave, as in Karpenter: what other pods depend on goes last, and a tier is gone before the next one begins. The
 * tiers for DaemonSet pods are for the few that are drained at all: orphans, and those that the operator asked to drain.
 */
export const tiers = ['non-critical', 'non-critical-daemonset', 'critical', 'critical-daemonset'] as const;

export type Tier = (typeof tiers)[number];

const criticalClasses = ['system-cluster-critical', 'system-node-critical'];

/** The tier of a pod, by its priority class and the kind of its owner. */
function tierOf(pod: Pod): Tier {
  const isCritical = criticalClasses.includes(pod.spec?.priorityClassName ?? '');
  if (isDaemonSetPod(pod)) return isCritical ? 'critical-daemonset' : 'non-critical-daemonset';
  return isCritical ? 'critical' : 'non-critical';
}

/** The first tier with a pod left in it. */
const firstTier = (left: readonly { readonly tier: Tier }[]): Tier | undefined =>
  tiers.find((tier) => left.some((pod) => pod.tier === tier));
