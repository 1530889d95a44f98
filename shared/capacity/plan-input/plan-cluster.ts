import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
} from 'kubernetes-types/core/v1.d.ts';
import type { CSINode, StorageClass, VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';

/** Makes what a plan keeps of an object; undefined for one that it does not need. */
export type Reduce<From, To> = (object: From) => To | undefined;

/** A list that a plan can do without. `absent`: the user may not list it, or the cluster does not serve it. */
export type OptionalList<T> =
  | { readonly status: 'read'; readonly items: readonly T[] }
  | { readonly status: 'absent'; readonly reason: string };

/**
 * The lists of a cluster that a plan reads. Each list is read in pages, and each object is reduced as soon as its page has arrived, so that no more
 * than one page of whole objects is in memory. If a list expires while it is read, it is read again from the beginning.
 *
 * Every method rejects with a KubernetesError, which names the request and a remedy, if the API server does not respond as expected.
 */
export interface PlanCluster {
  readonly listNodes: <T>(reduce: Reduce<Node, T>) => Promise<readonly T[]>;
  /** Without the pods that have finished. */
  readonly listPods: <T>(reduce: Reduce<Pod, T>) => Promise<readonly T[]>;
  /** Their metadata only. */
  readonly listNamespaces: <T>(reduce: Reduce<Pick<Namespace, 'metadata'>, T>) => Promise<OptionalList<T>>;
  readonly listDaemonSets: <T>(reduce: Reduce<DaemonSet, T>) => Promise<OptionalList<T>>;
  readonly listPersistentVolumes: <T>(reduce: Reduce<PersistentVolume, T>) => Promise<OptionalList<T>>;
  readonly listPersistentVolumeClaims: <T>(
    reduce: Reduce<PersistentVolumeClaim, T>,
  ) => Promise<OptionalList<T>>;
  readonly listStorageClasses: <T>(reduce: Reduce<StorageClass, T>) => Promise<OptionalList<T>>;
  readonly listCsiNodes: <T>(reduce: Reduce<CSINode, T>) => Promise<OptionalList<T>>;
  readonly listVolumeAttachments: <T>(reduce: Reduce<VolumeAttachment, T>) => Promise<OptionalList<T>>;
}
