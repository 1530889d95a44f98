import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { controllerOf, isFinished, isReady, terminatesAt } from './pod-facts.ts';

/**
 * The annotation in the pod template of a Deployment, and so of its pods, by which its rollout is restarted instead of an eviction of its only
 * pod: the surge of the rollout starts the next pod before it ends this one (kubernetes/kubernetes#48307).
 */
export const restartAnnotation = 'drover.dev/restart-before-eviction';

/** What `kubectl rollout restart` sets in the pod template. */
const restartedAtAnnotation = 'kubectl.kubernetes.io/restartedAt';

/** Whether a pod serves and asks for it. A pod that does not serve gains nothing by it. Pure. */
export const asksForRestart = (pod: Pod): boolean =>
  pod.metadata?.annotations?.[restartAnnotation] === 'true' &&
  controllerOf(pod)?.kind === 'ReplicaSet' &&
  isReady(pod) &&
  !isFinished(pod) &&
  terminatesAt(pod) === undefined;

/**
 * Whether a restart would replace a pod, as far as the pods of the cluster show: it asks for it, and each pod of its ReplicaSet is on its node. Pure.
 *
 * @param pods all pods of the cluster
 */
export const isRestarted = (pod: Pod, pods: readonly Pod[]): boolean =>
  asksForRestart(pod) &&
  !pods.some(
    (other) =>
      controllerOf(other)?.uid === controllerOf(pod)?.uid &&
      other.spec?.nodeName !== pod.spec?.nodeName &&
      !isFinished(other) &&
      terminatesAt(other) === undefined,
  );

/** What is done about the pods of a Deployment on a leaving node, before they are evicted. */
export type RolloutVerdict =
  | { readonly kind: 'restart' }
  /** A rollout is under way. It replaces these pods, or ends before one of Drover begins. */
  | { readonly kind: 'wait' }
  /** The pods are evicted, because of this. */
  | { readonly kind: 'evict'; readonly why: string };

/**
 * Whether the rollout of a Deployment is restarted, so that its pods on a node are replaced before they end. Like `kubectl rollout restart`, and
 * only if no rollout is under way, so that a pass that is repeated restarts nothing again. Pure.
 *
 * @param podsHere how many of its pods are on the node
 */
export function judgeRollout({ metadata, spec, status }: Deployment, podsHere: number): RolloutVerdict {
  const evict = (why: string): RolloutVerdict => ({ kind: 'evict', why });
  const replicas = spec?.replicas ?? 1;
  if (spec?.template.metadata?.annotations?.[restartAnnotation] !== 'true')
    return evict('its pod template does not ask for it any more');
  if (metadata?.deletionTimestamp) return evict('it is being deleted');
  if (replicas > podsHere) return evict(`${replicas - podsHere} of its ${replicas} pods are on other nodes`);
  if (spec.paused === true) return evict('its rollouts are paused');
  const obstacle = whyNoSurge(spec.strategy, replicas);
  if (obstacle !== undefined) return evict(obstacle);
  if (isRolledOut({ metadata, spec, status })) return { kind: 'restart' };
  const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
  return progressing?.reason === 'ProgressDeadlineExceeded'
    ? evict(`its rollout does not progress: ${progressing.message ?? ''}`)
    : { kind: 'wait' };
}

/** Why a rollout would end the pods before their successors are available; undefined if it would not. */
function whyNoSurge(
  strategy: NonNullable<Deployment['spec']>['strategy'],
  replicas: number,
): string | undefined {
  if (strategy?.type === 'Recreate') return 'its strategy Recreate ends each pod before the next one starts';
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  if (countOf(maxSurge, replicas, Math.ceil) < 1) return 'its maxSurge is 0';
  return countOf(maxUnavailable, replicas, Math.floor) > 0
    ? 'its maxUnavailable lets a rollout end a pod before the next one is available'
    : undefined;
}

/** A number, or a percentage, which Kubernetes rounds up for maxSurge and down for maxUnavailable. */
function countOf(value: number | string, total: number, round: (count: number) => number): number {
  const percent = /^(\d{1,3})%$/.exec(String(value))?.[1];
  return percent === undefined ? Number(value) || 0 : round((Number(percent) * total) / 100);
}

/** What `kubectl rollout status` waits for (pkg/polymorphichelpers/rollout_status.go). */
function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  return (
    observedGeneration >= (metadata?.generation ?? 0) &&
    updatedReplicas >= (spec?.replicas ?? 1) &&
    replicas <= updatedReplicas &&
    availableReplicas >= updatedReplicas
  );
}

/** The default of progressDeadlineSeconds. */
const defaultProgressSeconds = 600;

/** How long a rollout is waited for: as long as its controller gives it to progress. Pure. */
export const rolloutSeconds = ({ spec }: Deployment): number =>
  spec?.progressDeadlineSeconds ?? defaultProgressSeconds;

/** A strategic merge patch, which the API server refuses if the Deployment has changed since it was read. */
export interface RestartPatch {
  readonly metadata: { readonly uid?: string; readonly resourceVersion?: string };
  readonly spec: {
    readonly template: { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } };
  };
}

/** Restarts the rollout, with the annotation and the form of time of `kubectl rollout restart`. Pure. */
export const restartPatch = ({ metadata }: Deployment, now: number): RestartPatch => ({
  metadata: {
    ...(metadata?.uid !== undefined && { uid: metadata.uid }),
    ...(metadata?.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  },
  spec: {
    template: {
      metadata: {
        annotations: { [restartedAtAnnotation]: `${new Date(now).toISOString().slice(0, 19)}Z` },
      },
    },
  },
});
