import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { matchesFields, parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { type KubernetesObject, keyOf, objectKey, type Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { checkListOptions } from './list-options.ts';
import { continued, page } from './pages-of-lists.ts';
import { isExact, itemsAt } from './past-lists.ts';
import { wholeNumber } from './query-numbers.ts';
import { createSnapshots } from './snapshots.ts';
import { checkNotAhead, listVersionOf } from './versions.ts';
import type { WatchCache } from './watch-cache.ts';

export type Item = Stored<KubernetesObject>;

export interface Selection {
  readonly definition: ResourceDefinition;
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly query: URLSearchParams;
  /** How far the cache is behind. */
  readonly staleSeconds?: number | undefined;
}

export interface Page {
  readonly items: readonly Item[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** A predicate of the namespace, name, labelSelector and fieldSelector of a request. Throws 400. */
export function matcherOf({ definition, namespace, name, query }: Selection): (object: Item) => boolean {
  const labels = query.get('labelSelector') ?? '';
  const matchesLabels = labels === '' ? undefined : parseLabelSelector(labels);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', resourceKey(definition));
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    (matchesLabels === undefined || matchesLabels(object.metadata.labels)) &&
    matchesFields(object, fields);
}

export interface Lister {
  list(selection: Selection): Page;
  /** The one object that is named. */
  get(selection: Selection & { readonly name: string }): Item | undefined;
}

/** Lists with selectors and pages. Pages of one list are of one revision, as etcd serves them; where any will do all comes. */
export function createLister(store: Store, cache: WatchCache): Lister {
  const snapshots = createSnapshots();
  return {
    list: (selection) => {
      const { query } = selection;
      checkListOptions(query, false);
      const isSelected = query.has('labelSelector') || query.has('fieldSelector');
      const limit = wholeNumber(query, 'limit') ?? 0;
      if ((query.get('continue') ?? '') !== '') return continued(snapshots, query, { limit, isSelected });
      const version = listVersionOf(query);
      checkNotAhead(store, version);
      const isPast = isExact(query, limit);
      const past = isPast ? version : cache.revisionFor(selection);
      const all = past === undefined ? candidates(store, selection) : itemsAt(store, selection, past);
      const isAny = query.get('resourceVersion') === '0';
      return page(snapshots, {
        items: all.filter(matcherOf(selection)),
        start: 0,
        limit: isAny ? 0 : limit,
        revision: past ?? store.revision,
        isSelected,
      });
    },
    get: (selection) => {
      const { definition, namespace, name } = selection;
      const past = cache.revisionFor(selection);
      if (past === undefined) return store.find(resourceKey(definition))?.get(namespace, name);
      const key = objectKey(namespace, name);
      return itemsAt(store, selection, past).find((item) => keyOf(item) === key);
    },
  };
}

/** Pods of one node come from the index, one object by its name; all else is looked through. */
function candidates(store: Store, { definition, namespace, query }: Selection): readonly Item[] {
  const collection = store.find(resourceKey(definition));
  if (collection === undefined) return [];
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', resourceKey(definition));
  const exact = (field: string): string | undefined =>
    fields.find((term) => term.field === field && term.equal)?.value;
  const node = resourceKey(definition) === 'pods' ? exact('spec.nodeName') : undefined;
  if (node !== undefined && node !== '') return collection.find('node', node);
  const name = exact('metadata.name');
  if (name !== undefined && (namespace !== undefined || !definition.namespaced)) {
    const object = collection.get(namespace, name);
    return object === undefined ? [] : [object];
  }
  return collection.list();
}
