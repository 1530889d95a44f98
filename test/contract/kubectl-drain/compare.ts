import type { DrainPlan, PlannedPod } from '../../../shared/draining/plan-drain.ts';
import { outcomeOf } from './drover.ts';
import type { KubectlWords } from './kubectl.ts';
import type { Outcome } from './outcome.ts';

/** If a pod of a node refuses, kubectl reports only the pods that refuse. */
type Said = Outcome | 'does not refuse';

/** A pod for which the two report different outcomes. */
export interface Disagreement {
  readonly pod: PlannedPod;
  readonly kubectl: Said;
  readonly drover: Said;
}

/** Compares pod by pod: all of them, or only who refuses if any pod does. */
export function compare(plan: DrainPlan, kubectl: KubectlWords): readonly Disagreement[] {
  const isRefused = plan.pods.some(({ name }) => kubectl.refusals.has(name));
  const said = isRefused ? refusalOnly : everything;
  return plan.pods
    .map((pod) => ({ pod, ...said(pod, kubectl) }))
    .filter(({ kubectl, drover }) => kubectl !== drover);
}

type Compare = (pod: PlannedPod, words: KubectlWords) => Omit<Disagreement, 'pod'>;

const refusalOnly: Compare = (pod, { refusals }) => {
  const refusal = refusals.get(pod.name);
  return {
    kubectl: refusal === undefined ? 'does not refuse' : `refuses: ${refusal}`,
    drover: pod.verdict === 'refuse' ? outcomeOf(pod) : 'does not refuse',
  };
};

const everything: Compare = (pod, { others }) => ({
  kubectl: others.get(pod.name) ?? 'stays',
  drover: outcomeOf(pod),
});
