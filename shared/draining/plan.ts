import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { deletesAt } from './grace.ts';
import { judgePod } from './judge.ts';
import { nextLook, outlookOf } from './next-look.ts';
import type { DrainAction, DrainPlan, PlanInput, PlannedPod } from './plan-types.ts';
import { identityOf, ownGraceSeconds, terminatesAt, workloadOf } from './pod-facts.ts';
import { firstTier, type Tier, tierOf } from './tiers.ts';

/**
 * Decides what a drain does now, from data alone: kubectl's filters, Karpenter's tiers, and the deadline, at which a pod is
 * deleted with the grace that still fits. It is total and changes nothing; the same input gives the same plan, and once
 * the plan's actions stand in the world the next one does not repeat them.
 */
export function planDrain(input: PlanInput): DrainPlan {
  const pods = input.pods.map((pod) => planPod(pod, input)).toSorted(byName);
  const refused = pods.filter((pod) => pod.verdict === 'refuse');
  const waitingFor = pods.filter((pod) => pod.verdict === 'evict' || pod.verdict === 'delete');
  const currentTier = firstTier(waitingFor);
  const actions = waitingFor
    .filter((pod) => isDue(pod, { currentTier, refused: refused.length > 0 }))
    .map(actionFor);
  const outlooks = waitingFor.map((pod) => outlookOf(pod, { ...input, currentTier, answers: new Map() }));
  return {
    pods,
    refused,
    ...(currentTier && { currentTier }),
    actions,
    waitingFor,
    nextLookAfterSeconds: nextLook(input.now, { outlooks, refused }),
    complete: refused.length === 0 && waitingFor.length === 0,
  };
}

function planPod(pod: Pod, input: PlanInput): PlannedPod {
  const { gracePeriodSeconds } = input.options;
  const judgement = judgePod(pod, input);
  const heldBy = input.heldBy?.get(identityOf(pod).uid) ?? [];
  const endsAt = terminatesAt(pod);
  const forcedAt = deletesAt(pod, { ...input, gracePeriodSeconds });
  return {
    ...identityOf(pod),
    tier: tierOf(pod),
    workload: workloadOf(pod),
    mayTakeSeconds: judgement.gracePeriodSeconds ?? gracePeriodSeconds ?? ownGraceSeconds(pod),
    ...(endsAt !== undefined && { terminatesAt: endsAt }),
    ...(forcedAt < Infinity && { deletesAt: forcedAt }),
    ...judgement,
    ...(heldBy.length > 0 && { heldBy }),
  };
}

/** A pod at its deadline is deleted whatever its tier and whoever refuses; the others are asked in turn. */
function isDue(
  pod: PlannedPod,
  { currentTier, refused }: { readonly currentTier: Tier | undefined; readonly refused: boolean },
): boolean {
  if (pod.atDeadline) return true;
  return pod.terminatesAt === undefined && pod.tier === currentTier && !refused;
}

const actionFor = ({ verdict, workload, gracePeriodSeconds, ...pod }: PlannedPod): DrainAction => ({
  kind: verdict === 'delete' ? 'delete' : 'evict',
  pod: { namespace: pod.namespace, name: pod.name, uid: pod.uid },
  workload,
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
});

const byName = (one: PlannedPod, other: PlannedPod): number =>
  compare(one.namespace, other.namespace) || compare(one.name, other.name);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
