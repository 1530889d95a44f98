import type { ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isReady } from '../eviction/eviction.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import { recordEvent } from './events.ts';
import { startOwnerController } from './owner-controller.ts';
import { isActive, ownerReference, podFrom } from './pods.ts';

/** Keeps as many active pods as each ReplicaSet asks for; a pod that is going does not count. */
export function startReplicaSetController(registry: Registry): void {
  startOwnerController(registry, {
    owners: 'replicasets.apps',
    kind: 'ReplicaSet',
    owned: 'pods',
    reconcile,
  });
}

function reconcile(registry: Registry, set: Stored<ReplicaSet>): void {
  const owned = registry.store.of('pods').find('owner', set.metadata.uid);
  const active = owned.filter(isActive);
  const wanted = set.spec?.replicas ?? 1;
  for (let missing = wanted - active.length; missing > 0; missing -= 1) createPod(registry, set);
  const surplus = active.length - wanted;
  if (surplus > 0)
    for (const pod of inOrderOfDeletion(active).slice(0, surplus)) deletePod(registry, set, pod);
  writeStatus(registry, set);
}

function createPod(registry: Registry, set: Stored<ReplicaSet>): void {
  const { template } = set.spec ?? {};
  const namespace = set.metadata.namespace ?? 'default';
  if (template === undefined || isTerminating(registry, namespace)) return;
  const name = { generateName: `${set.metadata.name}-`, namespace };
  const pod = registry.create('pods', podFrom(template, name, ownerReference('apps/v1', 'ReplicaSet', set)));
  const message = `Created pod: ${pod.metadata.name}`;
  recordEvent(registry, {
    regarding: set,
    reason: 'SuccessfulCreate',
    message,
    component: 'replicaset-controller',
  });
}

function deletePod(registry: Registry, set: Stored<ReplicaSet>, pod: Stored<Pod>): void {
  registry.delete('pods', pod);
  const message = `Deleted pod: ${pod.metadata.name}`;
  recordEvent(registry, {
    regarding: set,
    reason: 'SuccessfulDelete',
    message,
    component: 'replicaset-controller',
  });
}

export function isTerminating({ store }: Registry, namespace: string): boolean {
  return store.of('namespaces').get(undefined, namespace)?.metadata.deletionTimestamp !== undefined;
}

/** Unscheduled pods go first, then those that are not ready, then the youngest. */
function inOrderOfDeletion(pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  const rank = (pod: Stored<Pod>): number => (pod.spec?.nodeName === undefined ? 0 : isReady(pod) ? 2 : 1);
  return pods.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      right.metadata.creationTimestamp.localeCompare(left.metadata.creationTimestamp),
  );
}

function writeStatus(registry: Registry, set: Stored<ReplicaSet>): void {
  const active = registry.store.of('pods').find('owner', set.metadata.uid).filter(isActive);
  const ready = active.filter(isReady).length;
  const status = {
    replicas: active.length,
    ...(active.length > 0 && { fullyLabeledReplicas: active.length }),
    ...(ready > 0 && { readyReplicas: ready, availableReplicas: ready }),
    observedGeneration: set.metadata.generation ?? 1,
  };
  registry.updateStatus('replicasets.apps', set, (current) => ({ ...current, status }));
}
