import { deleteObject } from '../registry/delete.ts';
import type { Registry } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import { definitionOf } from '../resources/definitions.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';

/** Deletes what was owned by an object that has gone; serves foreground deletion and orphaning by their finalizers. */
export function startGarbageCollector(registry: Registry): void {
  const { store, clock } = registry;
  for (const [key, collection] of store.all()) {
    collection.subscribe(({ type, object }) => {
      if (type === 'DELETED') {
        clock.after(0, () => deleteDependents(registry, object.metadata.uid));
        for (const owner of object.metadata.ownerReferences ?? [])
          clock.after(0, () => reviewForeground(registry, owner.uid));
      } else if (
        object.metadata.deletionTimestamp !== undefined &&
        object.metadata.finalizers !== undefined
      ) {
        clock.after(0, () => reviewFinalizers(registry, key, object));
      }
    });
    collection.index('uid', ({ metadata }) => [metadata.uid]);
  }
}

type Found = readonly [key: string, object: Stored<KubernetesObject>];

function dependentsOf({ store }: Registry, uid: string): readonly Found[] {
  return [...store.all()].flatMap(([key, collection]) =>
    collection.find('owner', uid).map((object) => [key, object] as const),
  );
}

function deleteDependents(registry: Registry, uid: string): void {
  for (const [key, object] of dependentsOf(registry, uid)) {
    const others = (object.metadata.ownerReferences ?? []).some(
      (owner) => owner.uid !== uid && findByUid(registry, owner.uid) !== undefined,
    );
    if (!others) deleteObject(registry, { definition: definitionOf(key), object, options: {} });
  }
}

function findByUid({ store }: Registry, uid: string): Found | undefined {
  for (const [key, collection] of store.all()) {
    const [object] = collection.find('uid', uid);
    if (object !== undefined) return [key, object];
  }
  return undefined;
}

function reviewForeground(registry: Registry, uid: string): void {
  const owner = findByUid(registry, uid);
  if (owner !== undefined) reviewFinalizers(registry, ...owner);
}

function reviewFinalizers(registry: Registry, key: string, { metadata }: Stored<KubernetesObject>): void {
  const object = registry.store.find(key)?.get(metadata.namespace, metadata.name);
  if (object === undefined || object.metadata.deletionTimestamp === undefined) return;
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes('orphan')) {
    for (const [dependentKey, dependent] of dependentsOf(registry, metadata.uid))
      disown(registry, dependentKey, dependent, metadata.uid);
    release(registry, key, object, 'orphan');
  } else if (finalizers.includes('foregroundDeletion')) {
    const dependents = dependentsOf(registry, metadata.uid);
    for (const [dependentKey, dependent] of dependents) {
      const options = { propagationPolicy: 'Foreground' };
      if (dependent.metadata.deletionTimestamp === undefined)
        deleteObject(registry, { definition: definitionOf(dependentKey), object: dependent, options });
    }
    if (dependentsOf(registry, metadata.uid).length === 0)
      release(registry, key, object, 'foregroundDeletion');
  }
}

function release(registry: Registry, key: string, object: Stored<KubernetesObject>, finalizer: string): void {
  const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  const next = { ...object, metadata: { ...object.metadata, finalizers } };
  updateObject(registry, { definition: definitionOf(key), previous: object, next });
}

function disown(registry: Registry, key: string, object: Stored<KubernetesObject>, uid: string): void {
  const owners = object.metadata.ownerReferences ?? [];
  const ownerReferences = owners.filter((owner) => owner.uid !== uid);
  const next = { ...object, metadata: { ...object.metadata, ownerReferences } };
  updateObject(registry, { definition: definitionOf(key), previous: object, next });
}
