import type { Registry } from '../registry/registry.ts';
import { controllerOf, keyOf, type Stored } from '../store/object.ts';
import type { ObjectTypes } from '../store/types.ts';
import { createWorkQueue, splitKey } from './work-queue.ts';

type Resource = keyof ObjectTypes;

/** A controller of objects that own others. */
export interface OwnerController<Owner extends Resource> {
  readonly owners: Owner;
  /** As in the owner references of what they own. */
  readonly kind: string;
  readonly owned: Resource;
  /** Not called for an owner that is being deleted. */
  readonly reconcile: (registry: Registry, owner: Stored<ObjectTypes[Owner]>) => void;
}

/** Looks at an owner again whenever it changes, or something that it controls does. */
export function startOwnerController<Owner extends Resource>(
  registry: Registry,
  { owners, kind, owned, reconcile }: OwnerController<Owner>,
): void {
  const { store, clock } = registry;
  const queue = createWorkQueue(clock, (key) => {
    const owner = store.of(owners).get(...splitKey(key));
    if (owner !== undefined && owner.metadata.deletionTimestamp === undefined) reconcile(registry, owner);
  });
  store.of(owners).subscribe(({ object }) => queue.add(keyOf(object)));
  store.of(owned).subscribe(({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === kind) queue.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
  });
}
