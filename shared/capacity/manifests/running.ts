import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { matchesLabels, requirementsOf } from '../../draining/label-selector.ts';
import { isFinished, terminatesAt } from '../../draining/pod-facts.ts';
import { podNameOf, withOrdinals } from './make-pods.ts';
import { workloadOf } from './make-workload.ts';
import type { Workload, WorkloadSelector } from './workload.ts';
import type { WorkloadObject } from './workload-kinds.ts';

/** What of a workload is not in the cluster yet. */
export interface MissingPods {
  /** The workload with only the pods that do not exist yet. */
  readonly workload: Workload;
  /** How many of its pods have a node. */
  readonly bound: number;
  /** Its pods that exist and wait for a node. They need room too. */
  readonly waiting: readonly Pod[];
}

/** The pods that a selector selects, without those that have finished or are being deleted: their controller replaces them. */
const livePodsOf = (selector: WorkloadSelector | undefined, pods: readonly Pod[]): readonly Pod[] => {
  const requirements = selector && requirementsOf(selector.labelSelector);
  if (selector === undefined || requirements === undefined) return [];
  return pods.filter(
    (pod) =>
      pod.metadata?.namespace === selector.namespace &&
      matchesLabels(pod.metadata.labels, requirements) &&
      !isFinished(pod) &&
      terminatesAt(pod) === undefined,
  );
};

/**
 * What is missing of a total of pods. A pod counts wherever it came from, as long as the selector of the workload selects it. Without a selector all
 * of them are missing.
 */
export function missingPods(workload: Workload, total: number, pods: readonly Pod[]): MissingPods {
  const live = livePodsOf(workload.selector, pods);
  const bound = live.filter(({ spec }) => spec?.nodeName);
  const count = Math.max(0, total - live.length);
  return {
    workload: withOrdinals(workload, freeOrdinals(workload, count, live)),
    bound: bound.length,
    waiting: live.filter((pod) => !bound.includes(pod)),
  };
}

/** A StatefulSet fills the gaps between its pods first. */
function freeOrdinals({ maker }: Workload, count: number, live: readonly Pod[]): readonly number[] {
  const taken = new Set(live.map(({ metadata }) => metadata?.name));
  const free: number[] = [];
  for (let ordinal = maker.firstOrdinal; free.length < count; ordinal += 1)
    if (!taken.has(podNameOf(maker, ordinal))) free.push(ordinal);
  return free;
}

/**
 * The workload of an object of the cluster. New pods are like its newest one, because that has what admission adds: the requests of a LimitRange, the
 * sidecar of a service mesh, the overhead of a RuntimeClass, the label of the ReplicaSet. Without a pod they are like the template.
 */
export function runningWorkload(object: WorkloadObject, pods: readonly Pod[]): Workload {
  const workload = workloadOf(object, object.metadata?.namespace ?? 'default');
  const newest = livePodsOf(workload.selector, pods)
    .filter((pod) => isOfRevision(object, pod))
    .toSorted(byAge)
    .at(-1);
  if (newest === undefined) return workload;
  return workloadOf(object, workload.namespace, templateOf(newest));
}

/** Whether a pod of a StatefulSet has the template that new pods get. */
const isOfRevision = (object: WorkloadObject, { metadata }: Pod): boolean =>
  object.kind !== 'StatefulSet' ||
  object.status?.updateRevision === undefined ||
  metadata?.labels?.['controller-revision-hash'] === object.status.updateRevision;

const byAge = (one: Pod, other: Pod): number =>
  ageKey(one) < ageKey(other) ? -1 : ageKey(one) > ageKey(other) ? 1 : 0;

const ageKey = ({ metadata }: Pod): string => `${metadata?.creationTimestamp ?? ''} ${metadata?.name ?? ''}`;

function templateOf({ metadata, spec }: Pod): PodTemplateSpec {
  const { nodeName: _, ...rest } = spec ?? { containers: [] };
  const { labels, annotations } = metadata ?? {};
  return { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) }, spec: rest };
}
