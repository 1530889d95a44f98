import type { DeleteOptions } from 'kubernetes-types/meta/v1.d.ts';
import { definitionOf } from '../resources/definitions.ts';
import { type KubernetesObject, keyOf, type Stored } from '../store/object.ts';
import type { ObjectTypes } from '../store/types.ts';
import type { Context } from './context.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { updateObject } from './update.ts';

/**
 * The API as the cluster's own controllers use it: the rules of every write, but no HTTP, no authorization and no count of
 * requests. An object that has gone, or has changed under the writer, makes a write do nothing: controllers look again.
 */
export interface Registry extends Context {
  create<K extends keyof ObjectTypes>(resource: K, object: ObjectTypes[K]): Stored<ObjectTypes[K]>;
  /** Puts what `change` makes of the object's present state. Undefined when the object is not there. */
  update<K extends keyof ObjectTypes>(
    resource: K,
    target: ObjectTypes[K],
    change: (current: Stored<ObjectTypes[K]>) => ObjectTypes[K],
  ): Stored<ObjectTypes[K]> | undefined;
  /** The same for only its status. */
  updateStatus<K extends keyof ObjectTypes>(
    resource: K,
    target: ObjectTypes[K],
    change: (current: Stored<ObjectTypes[K]>) => ObjectTypes[K],
  ): Stored<ObjectTypes[K]> | undefined;
  delete<K extends keyof ObjectTypes>(
    resource: K,
    target: ObjectTypes[K],
    options?: DeleteOptions,
  ): 'deleted' | 'gone';
}

export function createRegistry(context: Context): Registry {
  const current = (resource: string, target: KubernetesObject): Stored<KubernetesObject> | undefined => {
    const [namespace, name = ''] = keyOf(target).split('/');
    return context.store.find(resource)?.get(namespace, name);
  };
  const change = (
    resource: keyof ObjectTypes,
    target: KubernetesObject,
    edit: Edit,
  ): Stored<KubernetesObject> | undefined => {
    const previous = current(resource, target);
    if (previous === undefined || isAnother(previous, target)) return undefined;
    const next = edit.change(previous);
    if (next === previous) return previous;
    const { subresource } = edit;
    return updateObject(context, {
      definition: definitionOf(resource),
      previous,
      next,
      ...(subresource && { subresource }),
    });
  };
  const registry: Registry = {
    ...context,
    create: (resource, object) => createObject(context, definitionOf(resource), object) as never,
    update: (resource, target, edit) =>
      change(resource, target, { change: (found) => edit(found as never) }) as never,
    updateStatus: (resource, target, edit) =>
      change(resource, target, { change: (found) => edit(found as never), subresource: 'status' }) as never,
    delete: (resource, target, options = {}) => {
      const object = current(resource, target);
      if (object === undefined || isAnother(object, target)) return 'gone';
      deleteObject(context, { definition: definitionOf(resource), object, options });
      return 'deleted';
    },
  };
  return registry;
}

interface Edit {
  readonly change: (current: Stored<KubernetesObject>) => KubernetesObject;
  readonly subresource?: string;
}

function isAnother(current: Stored<KubernetesObject>, target: KubernetesObject): boolean {
  return target.metadata?.uid !== undefined && target.metadata.uid !== current.metadata.uid;
}
