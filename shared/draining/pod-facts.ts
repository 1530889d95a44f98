import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { PodIdentity } from '../nodes/cluster.ts';

/** The API server's default for terminationGracePeriodSeconds. */
const defaultGraceSeconds = 30;

/** The name of the pod with its UID, so that a later call cannot affect another pod of the same name. */
export const identityOf = (pod: Pod): PodIdentity => ({
  namespace: pod.metadata?.namespace ?? 'default',
  name: pod.metadata?.name ?? '',
  uid: pod.metadata?.uid ?? '',
});

/** The owner that is marked as the controller, if any. */
export const controllerOf = ({ metadata }: Pick<Pod, 'metadata'>): OwnerReference | undefined =>
  metadata?.ownerReferences?.find((owner) => owner.controller === true);

/** Succeeded or Failed: its containers will not run again. */
export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** As in kubectl and the API server, the API group and version must be exactly these. */
export const isDaemonSetPod = (pod: Pod): boolean => {
  const controller = controllerOf(pod);
  return controller?.kind === 'DaemonSet' && controller.apiVersion === 'apps/v1';
};

/** A mirror of a static pod. The annotation counts even if it is empty. */
export const isMirrorPod = (pod: Pod): boolean =>
  pod.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined;

export const usesEmptyDir = (pod: Pod): boolean =>
  (pod.spec?.volumes ?? []).some((volume) => volume.emptyDir != null);

/** A generic ephemeral volume has the claim `POD-VOLUME`: https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/ */
export const claimsOf = ({ spec, metadata }: Pod): readonly string[] =>
  (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim != null) return [persistentVolumeClaim.claimName];
    return ephemeral == null ? [] : [`${metadata?.name}-${name}`];
  });

/** The end of its grace period, in epoch milliseconds; undefined if it is not terminating. The timestamp includes the grace period. */
export const terminatesAt = (pod: Pod): number | undefined => {
  const stamp = pod.metadata?.deletionTimestamp;
  return stamp === undefined || stamp === null ? undefined : Date.parse(stamp);
};

/** The grace period in its spec. */
export const ownGraceSeconds = (pod: Pod): number =>
  pod.spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds;

export const isReady = (pod: Pod): boolean =>
  (pod.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

/**
 * Its containers have stopped and only finalizers keep the object. The kubelet finally deletes a pod with grace period 0, after which the
 * API server keeps it with deletionGracePeriodSeconds 0 until its finalizers are removed.
 */
export const onlyFinalizersRemain = (pod: Pod): boolean =>
  terminatesAt(pod) !== undefined &&
  pod.metadata?.deletionGracePeriodSeconds === 0 &&
  (pod.metadata.finalizers ?? []).length > 0;

/**
 * Pods with the same value are treated alike by a budget: they have the same controller and are alike in readiness, because a budget may
 * release pods that are not Ready while it holds the others (unhealthyPodEvictionPolicy). A pod without a controller has a value of its own.
 */
export const workloadOf = (pod: Pod): string =>
  `${controllerOf(pod)?.uid ?? identityOf(pod).uid}${isReady(pod) ? '' : '/unready'}`;

/** What pods of one controller have in common, whether or not they are ready. */
export const controllerKeyOf = (workload: string): string => workload.replace(/\/unready$/, '');

const unschedulableTaint = 'node.kubernetes.io/unschedulable';

/** Whether the scheduler may place the pod on a cordoned node: it tolerates the taint of the cordon, or every taint. */
export const toleratesCordon = ({ spec }: Pod): boolean =>
  (spec?.tolerations ?? []).some(
    ({ key, operator, effect }) =>
      (!effect || effect === 'NoSchedule') && (key === unschedulableTaint || (!key && operator === 'Exists')),
  );
