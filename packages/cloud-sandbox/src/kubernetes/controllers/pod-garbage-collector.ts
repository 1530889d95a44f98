import type { Registry } from '../registry/registry.ts';

/** How long the pods of a Node that has gone are left alone, lest it come back. */
const quarantineMilliseconds = 40_000;

/** Removes, without grace, the pods of nodes that no longer exist, and pods that end without ever having been bound. */
export function startPodGarbageCollector(registry: Registry): void {
  const { store, clock } = registry;
  store.of('nodes').subscribe(({ type, object }) => {
    const { name } = object.metadata;
    if (type === 'DELETED') clock.after(quarantineMilliseconds, () => removeOrphans(registry, name));
  });
}

function removeOrphans(registry: Registry, nodeName: string): void {
  if (registry.store.of('nodes').get(undefined, nodeName) !== undefined) return;
  for (const pod of registry.store.of('pods').find('node', nodeName))
    registry.delete('pods', pod, { gracePeriodSeconds: 0 });
}
