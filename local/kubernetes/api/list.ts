import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { matchesFields, parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { badRequest, expired } from './errors.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';

export type Item = Stored<KubernetesObject>;

export interface Selection {
  readonly definition: ResourceDefinition;
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly query: URLSearchParams;
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
}

/** Lists with selectors and pages. Pages of one list are of one revision, as etcd serves them. */
export function createLister(store: Store): Lister {
  const snapshots = createSnapshots();
  return {
    list: (selection) => {
      const limit = Number(selection.query.get('limit') ?? 0);
      const token = selection.query.get('continue') ?? '';
      if (token !== '') return continued(snapshots, token, limit);
      checkVersion(store, selection.query);
      const items = candidates(store, selection).filter(matcherOf(selection));
      return page(snapshots, { items, start: 0, limit, revision: store.revision });
    },
  };
}

/** resourceVersion=0 and "not older than" are both met by the present state; a future version is not. */
function checkVersion({ revision }: Store, query: URLSearchParams): void {
  const version = Number(query.get('resourceVersion') ?? 0);
  if (Number.isNaN(version)) throw badRequest('invalid resource version');
  if (version > revision) throw expired(`Too large resource version: ${version}, current: ${revision}`);
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

interface PageRequest {
  readonly items: readonly Item[];
  readonly start: number;
  readonly limit: number;
  readonly revision: number;
}

function page(snapshots: Snapshots, { items, start, limit, revision }: PageRequest): Page {
  const resourceVersion = String(revision);
  const end = limit > 0 ? start + limit : items.length;
  if (end >= items.length) return { items: items.slice(start), metadata: { resourceVersion } };
  const token = snapshots.keep({ items, next: end, revision });
  const remainingItemCount = items.length - end;
  return {
    items: items.slice(start, end),
    metadata: { resourceVersion, continue: token, remainingItemCount },
  };
}

function continued(snapshots: Snapshots, token: string, limit: number): Page {
  const snapshot = snapshots.take(token);
  if (snapshot === undefined)
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    );
  return page(snapshots, { ...snapshot, start: snapshot.next, limit });
}
