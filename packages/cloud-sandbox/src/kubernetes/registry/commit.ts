import { isDeepStrictEqual } from 'node:util';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored, StoredMeta } from '../store/object.ts';
import type { Context } from './context.ts';

/** Stores an object under the next revision; gives back what was stored. With `dryRun` nothing is stored. */
export function commit<T extends KubernetesObject>(
  { store }: Context,
  definition: ResourceDefinition,
  object: T & { readonly metadata: StoredMeta },
  dryRun = false,
): T & { readonly metadata: StoredMeta } {
  if (dryRun) return object;
  const revision = store.nextRevision();
  const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
  store.find(resourceKey(definition))?.put(stored, revision);
  return stored;
}

/** Removes an object; watchers see its last state under the revision of the deletion. */
export function remove(
  { store }: Context,
  definition: ResourceDefinition,
  object: Stored<KubernetesObject>,
): void {
  const revision = store.nextRevision();
  const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
  store.find(resourceKey(definition))?.remove(last, revision);
}

/** Whether a write changes anything: an update that does not leaves the resourceVersion as it is. */
export function sameContent(left: Stored<KubernetesObject>, right: Stored<KubernetesObject>): boolean {
  return isDeepStrictEqual(withoutRevision(left), withoutRevision(right));
}

function withoutRevision(object: Stored<KubernetesObject>): unknown {
  const { resourceVersion: _, managedFields = [], ...metadata } = object.metadata;
  const managers = managedFields.map((entry) => ({ ...entry, time: '' }));
  return { ...object, metadata, managers };
}
