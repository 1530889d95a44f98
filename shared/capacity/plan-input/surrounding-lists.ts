import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Namespace, PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { CSINode, StorageClass, VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import type { PodSurroundings } from '../plan/pod.ts';
import { selectedNodeAnnotation, type VolumeCatalog } from '../plan/volume-needs.ts';
import type { OptionalList, PlanCluster } from './plan-cluster.ts';

/** The lists that a plan needs before the nodes and the pods, so that each of these is compiled as it arrives. */
export interface SurroundingLists {
  readonly namespaces: OptionalList<Pick<Namespace, 'metadata'>>;
  readonly daemonSets: OptionalList<DaemonSet>;
  readonly claims: OptionalList<PersistentVolumeClaim>;
  readonly volumes: OptionalList<PersistentVolume>;
  readonly classes: OptionalList<StorageClass>;
  readonly csiNodes: OptionalList<CSINode>;
  readonly volumeAttachments: OptionalList<VolumeAttachment>;
}

/** Reads the lists, each object without the fields that no plan needs. */
export async function readSurroundingLists(cluster: PlanCluster): Promise<SurroundingLists> {
  const [namespaces, daemonSets, claims, volumes, classes, csiNodes, volumeAttachments] = await Promise.all([
    cluster.listNamespaces(({ metadata }) => ({ metadata: slim(metadata) })),
    cluster.listDaemonSets(({ metadata, spec }) => ({ metadata: slim(metadata), ...(spec && { spec }) })),
    cluster.listPersistentVolumeClaims(slimClaim),
    cluster.listPersistentVolumes(({ metadata, spec }) => ({
      metadata: slim(metadata),
      ...(spec && { spec }),
    })),
    cluster.listStorageClasses((storageClass) => storageClass),
    cluster.listCsiNodes(({ metadata, spec }) => ({ metadata: slim(metadata), spec })),
    cluster.listVolumeAttachments(({ metadata, spec }) => ({ metadata: slim(metadata), spec })),
  ]);
  return { namespaces, daemonSets, claims, volumes, classes, csiNodes, volumeAttachments };
}

/** Managed fields and annotations are most of many objects. */
const slim = ({ namespace, name, labels }: ObjectMeta = {}): ObjectMeta => ({
  ...(namespace !== undefined && { namespace }),
  ...(name !== undefined && { name }),
  ...(labels !== undefined && { labels }),
});

/** A claim also has the node for which its volume is made, and whether it can still be used. */
function slimClaim({ metadata = {}, spec, status }: PersistentVolumeClaim): PersistentVolumeClaim {
  const { annotations = {}, deletionTimestamp } = metadata;
  const selectedNode = annotations[selectedNodeAnnotation];
  return {
    metadata: {
      ...slim(metadata),
      ...(selectedNode !== undefined && { annotations: { [selectedNodeAnnotation]: selectedNode } }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    ...(spec && { spec }),
    ...(status?.phase !== undefined && { status: { phase: status.phase } }),
  };
}

/** The lists by the names of their kinds, and what is not known without them. */
const consequences: Readonly<Record<keyof SurroundingLists, readonly [kinds: string, consequence: string]>> =
  {
    namespaces: ['Namespaces', 'a namespaceSelector of pod affinity selects no namespace'],
    daemonSets: ['DaemonSets', 'new nodes are planned without their pods, so they may have less room'],
    claims: ['PersistentVolumeClaims', 'pods are planned as if their claims asked nothing of a node'],
    volumes: ['PersistentVolumes', 'the zones of bound volumes are not known'],
    classes: ['StorageClasses', 'the zones that they allow for new volumes are not known'],
    csiNodes: ['CSINodes', 'no attach limit of volumes is known'],
    volumeAttachments: ['VolumeAttachments', 'volumes that are attached without a pod do not count'],
  };

/** A warning for each list that could not be read, with its consequence. */
export const warningsOf = (lists: SurroundingLists): readonly string[] =>
  Object.entries(consequences).flatMap(([name, [kinds, consequence]]) => {
    const list = lists[name as keyof SurroundingLists];
    return list.status === 'read' ? [] : [`${kinds} cannot be read (${list.reason}): ${consequence}`];
  });

/** The items of a list; none of one that could not be read. */
export const itemsOf = <T>(list: OptionalList<T>): readonly T[] => (list.status === 'read' ? list.items : []);

/** What the meaning of pods depends on. */
export function surroundingsOf({ namespaces, claims, volumes, classes }: SurroundingLists): PodSurroundings {
  const catalog = { claims, volumes, classes };
  const unread = (['claims', 'volumes', 'classes'] as const).filter(
    (name) => catalog[name].status === 'absent',
  );
  return {
    namespaces: new Map(
      itemsOf(namespaces).map(({ metadata }) => [metadata?.name ?? '', metadata?.labels ?? {}]),
    ),
    volumes: {
      claims: new Map(
        itemsOf(claims).map((claim) => [`${claim.metadata?.namespace}/${claim.metadata?.name}`, claim]),
      ),
      volumes: byName(itemsOf(volumes)),
      classes: byName(itemsOf(classes)),
      ...(unread.length > 0 && { unread: new Set(unread) }),
    } satisfies VolumeCatalog,
  };
}

export const byName = <T extends { readonly metadata?: ObjectMeta }>(
  items: readonly T[],
): ReadonlyMap<string, T> => new Map(items.map((item) => [item.metadata?.name ?? '', item]));
