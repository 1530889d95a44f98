import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { controllerOf, type Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';

export interface BudgetNumbers {
  /** How many pods there should be. */
  readonly expected: number;
  /** How many of them must be healthy. */
  readonly desired: number;
}

/**
 * As the disruption controller counts: a number of minAvailable counts the pods that there are; a percentage, and any
 * maxUnavailable, count the replicas that the pods' controllers ask for. Percentages are rounded up.
 */
export function expectedAndDesired(
  store: Store,
  { spec, metadata }: Stored<PodDisruptionBudget>,
  pods: readonly Stored<Pod>[],
): BudgetNumbers {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const expected = replicasAskedFor(store, metadata.namespace ?? '', pods);
    return { expected, desired: Math.max(0, expected - scaled(maxUnavailable, expected)) };
  }
  if (minAvailable === undefined) return { expected: pods.length, desired: pods.length };
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable };
  const expected = replicasAskedFor(store, metadata.namespace ?? '', pods);
  return { expected, desired: scaled(minAvailable, expected) };
}

/** A number, or a percentage of `total` rounded up. */
export function scaled(value: number | string, total: number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value);
  return percent === null ? Number(value) || 0 : Math.ceil((Number(percent[1]) * total) / 100);
}

function replicasAskedFor(store: Store, namespace: string, pods: readonly Stored<Pod>[]): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner !== undefined && !scales.has(owner.uid)) {
      const [uid, replicas] = scaleOf(store, namespace, owner);
      scales.set(uid, replicas);
    }
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** A ReplicaSet that a Deployment made counts as the Deployment does. */
function scaleOf(
  store: Store,
  namespace: string,
  owner: { readonly kind: string; readonly name: string; readonly uid: string },
): readonly [uid: string, replicas: number] {
  if (owner.kind === 'StatefulSet')
    return [owner.uid, store.of('statefulsets.apps').get(namespace, owner.name)?.spec?.replicas ?? 0];
  const set =
    owner.kind === 'ReplicaSet' ? store.of('replicasets.apps').get(namespace, owner.name) : undefined;
  if (set === undefined) return [owner.uid, 0];
  const parent = controllerOf(set);
  const deployment = parent && store.of('deployments.apps').get(namespace, parent.name);
  if (deployment?.metadata.uid !== undefined && deployment.metadata.uid === parent?.uid)
    return [deployment.metadata.uid, deployment.spec?.replicas ?? 1];
  return [owner.uid, set.spec?.replicas ?? 1];
}
