import { type Change, createHistory } from './change.ts';
import { type KubernetesObject, keyOf, objectKey, type Stored } from './object.ts';
import { createObjectIndex, type ObjectIndex } from './object-index.ts';

const remembered = 2_000;

/** All objects of one resource. Only the registry writes; all code may read, find by index and listen. */
export interface Collection<T = KubernetesObject> {
  get(namespace: string | undefined, name: string): Stored<T> | undefined;
  /** In the order of namespace and name; the same array until the next write. */
  list(): readonly Stored<T>[];
  readonly size: number;
  index(name: string, valuesOf: (object: Stored<T>) => readonly string[]): void;
  find(indexName: string, value: string): readonly Stored<T>[];
  subscribe(listener: (change: Change<T>) => void): () => void;
  since(revision: number): readonly Change<T>[] | undefined;
  put(object: Stored<T>, revision: number): void;
  remove(object: Stored<T>, revision: number): void;
}

export function createCollection<T extends KubernetesObject>(): Collection<T> {
  const objects = new Map<string, Stored<T>>();
  const indexes = new Map<string, ObjectIndex<T>>();
  const listeners = new Set<(change: Change<T>) => void>();
  const history = createHistory<T>(remembered);
  let sorted: readonly Stored<T>[] | undefined;

  const announce = (change: Change<T>): void => {
    sorted = undefined;
    for (const index of indexes.values())
      index.replace(change.previous, change.type === 'DELETED' ? undefined : change.object);
    history.record(change);
    for (const listener of listeners) listener(change);
  };
  const put = (object: Stored<T>, revision: number): void => {
    const previous = objects.get(keyOf(object));
    objects.set(keyOf(object), object);
    announce(
      previous === undefined
        ? { type: 'ADDED', object, revision }
        : { type: 'MODIFIED', object, previous, revision },
    );
  };
  const remove = (object: Stored<T>, revision: number): void => {
    const previous = objects.get(keyOf(object));
    if (previous === undefined || !objects.delete(keyOf(object))) return;
    announce({ type: 'DELETED', object, previous, revision });
  };
  const list = (): readonly Stored<T>[] => {
    sorted ??= [...objects].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, object]) => object);
    return sorted;
  };
  const index: Collection<T>['index'] = (name, valuesOf) => {
    const created = createObjectIndex(valuesOf);
    for (const object of objects.values()) created.replace(undefined, object);
    indexes.set(name, created);
  };
  return {
    get: (namespace, name) => objects.get(objectKey(namespace, name)),
    list,
    get size() {
      return objects.size;
    },
    index,
    find: (indexName, value) => indexes.get(indexName)?.find(value) ?? [],
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    since: (revision) => history.since(revision),
    put,
    remove,
  };
}
