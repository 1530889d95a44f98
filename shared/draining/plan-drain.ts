import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { decidePod } from './decide-pod.ts';
import type { DrainAction, DrainPlan, DrainPlanInput, PlannedPod } from './drain-plan.ts';
import { deletesAt } from './grace.ts';
import { expectedChangeOf, secondsToNextCheck } from './next-check.ts';
import { identityOf, ownGraceSeconds, terminatesAt, workloadOf } from './pod-facts.ts';
import { firstTier, type Tier, tierOf } from './tiers.ts';

/**
 * Plans what a drain does now, from data alone: kubectl's filters, Karpenter's tiers, and the deadline, at which a pod is
 * deleted with the grace that still fits. It is pure and accepts any input. The same input gives the same plan, and after
 * the actions of a plan have been carried out, the next plan does not repeat them.
 */
export function planDrain(input: DrainPlanInput): DrainPlan {
  const pods = input.pods.map((pod) => planPod(pod, input)).toSorted(byName);
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

function planPod(pod: Pod, input: DrainPlanInput): PlannedPod {
  const { gracePeriodSeconds } = input.options;
  const decision = decidePod(pod, input);
  const heldBy = input.heldBy?.get(identityOf(pod).uid) ?? [];
  const endsAt = terminatesAt(pod);
  const forcedAt = deletesAt(pod, { ...input, gracePeriodSeconds });
  return {
    ...identityOf(pod),
    tier: tierOf(pod),
    workload: workloadOf(pod),
    mayTakeSeconds: decision.gracePeriodSeconds ?? gracePeriodSeconds ?? ownGraceSeconds(pod),
    ...(endsAt !== undefined && { terminatesAt: endsAt }),
    ...(forcedAt < Infinity && { deletesAt: forcedAt }),
    ...decision,
    ...(heldBy.length > 0 && { heldBy }),
  };
}

/** At its deadline a pod is deleted whatever its tier and whatever other pods refuse; before that, tier by tier. */
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
