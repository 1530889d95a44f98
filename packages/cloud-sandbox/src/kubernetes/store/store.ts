import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { resourceKeys } from '../resources/definitions.ts';
import { type Collection, createCollection } from './collection.ts';
import type { KubernetesObject, Stored } from './object.ts';
import type { ObjectTypes } from './types.ts';

/** What etcd is to a real API server: every object under one revision that only grows. */
export interface Store {
  /** The collection of a resource that the simulation knows by type. */
  of<K extends keyof ObjectTypes>(resource: K): Collection<ObjectTypes[K]>;
  /** By `plural.group` (`plural` in the core group). Undefined when there is no such resource. */
  find(resource: string): Collection | undefined;
  /** Every collection with its resource key. */
  all(): IterableIterator<[string, Collection]>;
  readonly revision: number;
  /** One more than the last. */
  nextRevision(): number;
}

export function createStore(): Store {
  const collections = new Map<string, Collection>(resourceKeys.map((key) => [key, createCollection()]));
  let revision = 1;
  const store: Store = {
    of: (resource) => {
      const collection = collections.get(resource);
      if (collection === undefined) throw new RangeError(`no resource ${resource} is defined`);
      return collection as Collection<ObjectTypes[typeof resource]>;
    },
    find: (resource) => collections.get(resource),
    all: () => collections.entries(),
    get revision() {
      return revision;
    },
    nextRevision: () => {
      revision += 1;
      return revision;
    },
  };
  indexPods(store.of('pods'));
  indexBudgets(store.of('poddisruptionbudgets.policy'));
  for (const collection of collections.values()) collection.index('owner', ownerUids);
  return store;
}

function ownerUids(object: Stored<KubernetesObject>): readonly string[] {
  return (object.metadata.ownerReferences ?? []).map((owner) => owner.uid);
}

/** `node`: by spec.nodeName; `namespace`; `label`: by `namespace/key=value`. */
function indexPods(pods: Collection<Pod>): void {
  pods.index('node', (pod) => (pod.spec?.nodeName === undefined ? [] : [pod.spec.nodeName]));
  pods.index('namespace', (pod) => [pod.metadata.namespace ?? '']);
  pods.index('label', (pod) =>
    Object.entries(pod.metadata.labels ?? {}).map(
      ([key, value]) => `${pod.metadata.namespace ?? ''}/${key}=${value}`,
    ),
  );
}

/** `namespace`; `selector`: by one label that its pods must have, `namespace/key=value`, or `namespace/` if it requires none. */
function indexBudgets(budgets: Collection<PodDisruptionBudget>): void {
  budgets.index('namespace', ({ metadata }) => [metadata.namespace ?? '']);
  budgets.index('selector', ({ metadata, spec }) => {
    const [label] = Object.entries(spec?.selector?.matchLabels ?? {});
    return [`${metadata.namespace ?? ''}/${label === undefined ? '' : label.join('=')}`];
  });
}
