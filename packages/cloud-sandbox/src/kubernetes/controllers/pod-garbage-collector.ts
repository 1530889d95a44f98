import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import { readiness } from './node-lifecycle.ts';

/** How long the pods of a Node that has gone are left alone, lest it come back. */
const quarantineMilliseconds = 40_000;

/** The collector runs this often. */
const periodMilliseconds = 20_000;

/**
 * Removes, without grace, the pods of nodes that no longer exist, and the terminating pods of nodes that are out of service
 * (pkg/controller/podgc, gcTerminating).
 */
export function startPodGarbageCollector(registry: Registry): void {
  const { store, clock } = registry;
  const collect = (nodeName: string): void => {
    clock.after(periodMilliseconds, () => removeTerminating(registry, nodeName));
  };
  store.of('nodes').subscribe(({ type, object }) => {
    const { name } = object.metadata;
    if (type === 'DELETED') clock.after(quarantineMilliseconds, () => removeOrphans(registry, name));
    else if (isOutOfService(object)) collect(name);
  });
  store.of('pods').subscribe(({ object: { metadata, spec } }) => {
    const node = store.of('nodes').get(undefined, spec?.nodeName ?? '');
    if (metadata.deletionTimestamp !== undefined && isOutOfService(node)) collect(spec?.nodeName ?? '');
  });
}

/** An operator says that the machine of a node which is not Ready has ended (KEP-2268). */
export function isOutOfService(node: Stored<Node> | undefined): boolean {
  const isTainted = node?.spec?.taints?.some(
    ({ key, effect }) => key === 'node.kubernetes.io/out-of-service' && effect === 'NoExecute',
  );
  return isTainted === true && readiness(node) !== 'True';
}

function removeTerminating(registry: Registry, nodeName: string): void {
  if (!isOutOfService(registry.store.of('nodes').get(undefined, nodeName))) return;
  for (const pod of registry.store.of('pods').find('node', nodeName))
    if (pod.metadata.deletionTimestamp !== undefined) registry.delete('pods', pod, { gracePeriodSeconds: 0 });
}

function removeOrphans(registry: Registry, nodeName: string): void {
  if (registry.store.of('nodes').get(undefined, nodeName) !== undefined) return;
  for (const pod of registry.store.of('pods').find('node', nodeName))
    registry.delete('pods', pod, { gracePeriodSeconds: 0 });
}
