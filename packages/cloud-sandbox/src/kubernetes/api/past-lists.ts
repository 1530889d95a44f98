import { resourceKey } from '../resources/definition.ts';
import { keyOf } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { expired } from './errors.ts';
import type { Item, Selection } from './list.ts';
import { listVersionOf } from './versions.ts';

/** Whether a list is to be as it was. Source: the semantics of resourceVersion for lists, kubernetes.io, API Concepts. */
export function isExact(query: URLSearchParams, limit: number): boolean {
  const match = query.get('resourceVersionMatch') ?? '';
  return match === 'Exact' || (match === '' && limit > 0 && listVersionOf(query) > 0);
}

/** The collection as it was: its last changes undone one by one. Throws 410 when they are forgotten. */
export function itemsAt(store: Store, { definition }: Selection, version: number): readonly Item[] {
  const collection = store.find(resourceKey(definition));
  if (collection === undefined) return [];
  const changes = collection.since(version);
  if (changes === undefined) throw expired('The resourceVersion for the provided list is too old.');
  const items = new Map(collection.list().map((item) => [keyOf(item), item]));
  for (const { object, previous } of changes.toReversed())
    if (previous === undefined) items.delete(keyOf(object));
    else items.set(keyOf(object), previous);
  return [...items].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item);
}
