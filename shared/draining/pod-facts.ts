import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { PodIdentity } from '../nodes/cluster.ts';

/** What the API server puts in place of an absent terminationGracePeriodSeconds. */
const defaultGraceSeconds = 30;

/** Names the pod and its UID, so that a later call cannot meet another pod under the same name. */
export const identityOf = (pod: Pod): PodIdentity => ({
  namespace: pod.metadata?.namespace ?? 'default',
  name: pod.metadata?.name ?? '',
  uid: pod.metadata?.uid ?? '',
});

/** The owner that is marked as the controller, if any. */
export const controllerOf = (pod: Pod): OwnerReference | undefined =>
  pod.metadata?.ownerReferences?.find((owner) => owner.controller === true);

/** Succeeded or Failed: its containers will not run again. */
export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** kubectl and the API server ask for this very group and version; a DaemonSet of another kind of API is not one. */
export const isDaemonSetPod = (pod: Pod): boolean => {
  const controller = controllerOf(pod);
  return controller?.kind === 'DaemonSet' && controller.apiVersion === 'apps/v1';
};

/** A static pod's mirror; the annotation counts even when it is empty. */
export const isMirrorPod = (pod: Pod): boolean =>
  pod.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined;

export const usesEmptyDir = (pod: Pod): boolean =>
  (pod.spec?.volumes ?? []).some((volume) => volume.emptyDir != null);

/** The end of its grace, in epoch milliseconds; undefined if it is not deleted. The timestamp includes the grace. */
export const terminatesAt = (pod: Pod): number | undefined => {
  const stamp = pod.metadata?.deletionTimestamp;
  return stamp === undefined || stamp === null ? undefined : Date.parse(stamp);
};

/** The grace that its author asked for. */
export const ownGraceSeconds = (pod: Pod): number =>
  pod.spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds;

export const isReady = (pod: Pod): boolean =>
  (pod.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

/**
 * Its containers have stopped and only finalizers keep the object: the kubelet's last word is a deletion with no grace,
 * after which the API server keeps a pod with deletionGracePeriodSeconds 0 until its finalizers are gone. Nothing of it
 * runs on the node any more.
 */
export const onlyFinalizersRemain = (pod: Pod): boolean =>
  terminatesAt(pod) !== undefined &&
  pod.metadata?.deletionGracePeriodSeconds === 0 &&
  (pod.metadata.finalizers ?? []).length > 0;

/**
 * Which pods fare alike under a budget: those of one controller that are alike in health, for a budget may let go of pods that
 * are not Ready while it holds the others (unhealthyPodEvictionPolicy). A pod without a controller is alone.
 */
export const workloadOf = (pod: Pod): string =>
  `${controllerOf(pod)?.uid ?? identityOf(pod).uid}${isReady(pod) ? '' : '/unready'}`;
