import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { missingPods } from '../../shared/capacity/manifests/running.ts';
import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import { whyNotPlanned } from '../../shared/capacity/plan/not-planned.ts';
import { type PodSurroundings, plannedPodOf } from '../../shared/capacity/plan/pod.ts';
import { amountsOf } from '../../shared/capacity/plan/requests.ts';
import type { PlannedPod } from '../../shared/capacity/plan/types.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import { amountText } from './refusal-text.ts';
import { type AskedPods, podName } from './report.ts';

/** The pods of a plan. */
export interface AskedAndPending {
  readonly asked: readonly AskedPods[];
  /** Pods that are Pending now and belong to no workload of the plan. */
  readonly pending: readonly PlannedPod[];
}

/**
 * The pods of each workload that have no node yet. Its number of replicas is a total: pods that the cluster has already count towards it, with a node
 * or Pending.
 *
 * @throws QuantityError for a request that is not a quantity.
 */
export function askedPods(
  workloads: readonly Workload[],
  input: Pick<PlanInput, 'nodes' | 'pending' | 'surroundings'>,
): AskedAndPending {
  const bound = input.nodes.flatMap(({ pods }) => pods).filter((pod) => pod.comesWithNode === undefined);
  const existing = [...bound, ...input.pending].map(asPod);
  const waiting = new Map(input.pending.map((pod) => [podName(pod), pod]));
  const asked = workloads.map((workload): AskedPods => {
    const missing = missingPods(workload, workload.replicas, existing);
    const own = missing.waiting.flatMap((pod) => takeFrom(waiting, pod));
    const [one] = missing.workload.pods;
    const reason = one && whyNotPlanned(one);
    const pods = compiled(missing.workload, input.surroundings);
    return {
      name: workloadName(workload),
      total: Math.max(workload.replicas, missing.bound + own.length),
      running: missing.bound,
      pods: reason === undefined ? [...own, ...pods] : own,
      ...(reason !== undefined && { whyNotPlanned: reason }),
    };
  });
  return { asked, pending: [...waiting.values()] };
}

/** Only the pods of a StatefulSet differ in more than their names. Others are compiled once: a workload may have a hundred thousand pods. */
function compiled({ kind, pods }: Workload, surroundings: PodSurroundings): readonly PlannedPod[] {
  const [one] = pods;
  if (one === undefined || kind === 'StatefulSet') return pods.map((pod) => plannedPodOf(pod, surroundings));
  const first = plannedPodOf(one, surroundings);
  return pods.map(({ metadata }) => ({ ...first, name: metadata?.name ?? '' }));
}

/** `shop/deployment/web`, as kubectl names it, with its namespace; the size of pods that belong to no workload. */
export function workloadName({ namespace, kind, name, maker }: Workload): string {
  if (kind !== 'Pods') return `${namespace}/${kind.toLowerCase()}/${name}`;
  const requests = amountsOf(maker.template.spec?.containers[0]?.resources?.requests);
  return [...requests].map(([resource, amount]) => amountText(resource, amount)).join(', ');
}

/** The part of a pod that decides whether it belongs to a workload. */
const asPod = ({ namespace, name, labels, nodeName, isTerminating }: PlannedPod): Pod => ({
  metadata: {
    namespace,
    name,
    labels: { ...labels },
    ...(isTerminating && { deletionTimestamp: new Date(0).toISOString() }),
  },
  spec: { containers: [], ...(nodeName !== undefined && { nodeName }) },
});

/** A pod that two workloads select counts once. */
function takeFrom(waiting: Map<string, PlannedPod>, { metadata }: Pod): readonly PlannedPod[] {
  const name = podName({ namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
  const pod = waiting.get(name);
  waiting.delete(name);
  return pod === undefined ? [] : [pod];
}
