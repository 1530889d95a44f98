import type { ManifestSurroundings } from '../../shared/capacity/manifests/workload.ts';
import type { OptionalList, PlanCluster, Reduce } from '../../shared/capacity/plan-input/plan-cluster.ts';

interface Named {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

/**
 * The cluster as it is once the manifests are applied: their DaemonSets take room on new nodes, their claims, StorageClasses and Namespaces decide
 * what pods ask for. A claim of the cluster counts in preference, because it may be bound.
 */
export const withManifests = (
  cluster: PlanCluster,
  { namespaces, daemonSets, storageClasses, claims }: ManifestSurroundings,
): PlanCluster => ({
  ...cluster,
  listNamespaces: (reduce) => replacing(namespaces, reduce, (one) => cluster.listNamespaces(one)),
  listDaemonSets: (reduce) => replacing(daemonSets, reduce, (one) => cluster.listDaemonSets(one)),
  listStorageClasses: (reduce) => replacing(storageClasses, reduce, (one) => cluster.listStorageClasses(one)),
  listPersistentVolumeClaims: async (reduce) => {
    const known = new Set<string>();
    const list = await cluster.listPersistentVolumeClaims((claim) => {
      known.add(keyOf(claim));
      return reduce(claim);
    });
    return adding(
      list,
      claims.filter((claim) => !known.has(keyOf(claim))),
      reduce,
    );
  },
});

const keyOf = ({ metadata }: Named): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

async function replacing<From extends Named, To>(
  own: readonly From[],
  reduce: Reduce<From, To>,
  list: (reduce: Reduce<From, To>) => Promise<OptionalList<To>>,
): Promise<OptionalList<To>> {
  const replaced = new Set(own.map(keyOf));
  return adding(
    await list((object) => (replaced.has(keyOf(object)) ? undefined : reduce(object))),
    own,
    reduce,
  );
}

/** A list that could not be read stays unknown, so that its warning stays. */
const adding = <From, To>(
  list: OptionalList<To>,
  own: readonly From[],
  reduce: Reduce<From, To>,
): OptionalList<To> =>
  list.status === 'absent'
    ? list
    : { ...list, items: [...list.items, ...own.map(reduce).filter((item) => item !== undefined)] };
