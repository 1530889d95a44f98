import { type KubernetesObject, keyOf, type Stored } from './object.ts';

/** Finds objects by a value that is worked out from them, e.g. pods by node name. */
export interface ObjectIndex<T> {
  replace(previous: Stored<T> | undefined, next: Stored<T> | undefined): void;
  find(value: string): readonly Stored<T>[];
}

export function createObjectIndex<T extends KubernetesObject>(
  valuesOf: (object: Stored<T>) => readonly string[],
): ObjectIndex<T> {
  const objects = new Map<string, Map<string, Stored<T>>>();
  const remove = (value: string, key: string): void => {
    const entry = objects.get(value);
    entry?.delete(key);
    if (entry?.size === 0) objects.delete(value);
  };
  const add = (value: string, object: Stored<T>): void => {
    const entry = objects.get(value) ?? new Map<string, Stored<T>>();
    entry.set(keyOf(object), object);
    objects.set(value, entry);
  };
  return {
    replace: (previous, next) => {
      const values = next === undefined ? [] : valuesOf(next);
      if (previous !== undefined) {
        for (const value of valuesOf(previous)) if (!values.includes(value)) remove(value, keyOf(previous));
      }
      if (next !== undefined) for (const value of values) add(value, next);
    },
    find: (value) => [...(objects.get(value)?.values() ?? [])],
  };
}
