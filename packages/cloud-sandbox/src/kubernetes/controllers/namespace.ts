import type { Namespace } from 'kubernetes-types/core/v1.d.ts';
import { deleteObject } from '../registry/delete.ts';
import type { Registry } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import { definitionOf, findDefinition } from '../resources/definitions.ts';
import type { Stored } from '../store/object.ts';
import { createWorkQueue } from './work-queue.ts';

/** Gives new namespaces their default ServiceAccount, and empties those that are being deleted before they go. */
export function startNamespaceController(registry: Registry): void {
  const { store, clock } = registry;
  const namespaces = store.of('namespaces');
  const queue = createWorkQueue(clock, (name) => {
    const namespace = namespaces.get(undefined, name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) provide(registry, name);
    else empty(registry, namespace, () => queue.addAfter(name, 1_000));
  });
  namespaces.subscribe(({ object }) => queue.add(object.metadata.name));
}

function provide(registry: Registry, namespace: string): void {
  if (registry.store.of('serviceaccounts').get(namespace, 'default') !== undefined) return;
  registry.create('serviceaccounts', { metadata: { name: 'default', namespace } });
}

function empty(registry: Registry, namespace: Stored<Namespace>, again: () => void): void {
  const { name } = namespace.metadata;
  if (namespace.status?.phase !== 'Terminating')
    registry.updateStatus('namespaces', namespace, (found) => ({
      ...found,
      status: { ...found.status, phase: 'Terminating' },
    }));
  let left = 0;
  for (const [key, collection] of registry.store.all()) {
    const definition = findDefinition(key);
    if (definition?.namespaced !== true) continue;
    for (const object of collection.list()) {
      if (object.metadata.namespace !== name) continue;
      left += deleteObject(registry, { definition, object, options: {} }).gone ? 0 : 1;
    }
  }
  if (left > 0) return again();
  const previous = registry.store.of('namespaces').get(undefined, name);
  if (previous === undefined) return;
  const next = { ...previous, spec: { ...previous.spec, finalizers: [] } };
  updateObject(registry, { definition: definitionOf('namespaces'), previous, next, subresource: 'finalize' });
}
