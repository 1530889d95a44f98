import type { CSINode } from 'kubernetes-types/storage/v1.d.ts';
import type { OptionalList, PlanCluster, Reduce } from '../capacity/plan-input/plan-cluster.ts';
import { type Api, type ApiOptions, createApi } from './api.ts';
import { attachments, attachmentsPath } from './client.ts';
import {
  claimSchema,
  csiNodeSchema,
  daemonSetSchema,
  type ListRequest,
  listReduced,
  metadataSchema,
  nodeSchema,
  podSchema,
  storageClassSchema,
  volumeAttachmentSchema,
  volumeSchema,
} from './lists.ts';
import { metadataOnly } from './nodes.ts';
import { isServed, servedVersion } from './served-version.ts';
import { isForbidden, isNotFound } from './status.ts';

/** Finished pods occupy nothing, and may be most of the pods of a cluster with many Jobs. */
const notFinished = { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' };

/** The lists of one cluster, for plans. */
export function createPlanCluster(options: ApiOptions): PlanCluster {
  const api = createApi(options);
  const withAttachments = servedVersion(api, attachments);
  const list =
    <T>(request: ListRequest<T>) =>
    <Kept>(reduce: Reduce<T, Kept>): Promise<OptionalList<Kept>> =>
      optionally(() => listReduced(api, request, reduce));
  return {
    listNodes: (reduce) => listReduced(api, { path: '/api/v1/nodes', schema: nodeSchema }, reduce),
    listPods: (reduce) =>
      listReduced(api, { path: '/api/v1/pods', query: notFinished, schema: podSchema }, reduce),
    listNamespaces: list({ path: '/api/v1/namespaces', accept: metadataOnly, schema: metadataSchema }),
    listDaemonSets: list({ path: '/apis/apps/v1/daemonsets', schema: daemonSetSchema }),
    listPersistentVolumes: list({ path: '/api/v1/persistentvolumes', schema: volumeSchema }),
    listPersistentVolumeClaims: list({ path: '/api/v1/persistentvolumeclaims', schema: claimSchema }),
    listStorageClasses: list({
      path: '/apis/storage.k8s.io/v1/storageclasses',
      schema: storageClassSchema,
    }),
    listCsiNodes: (reduce) => optionally(() => listCsiNodes(api, reduce)),
    listVolumeAttachments: (reduce) =>
      optionally(() =>
        withAttachments((version) =>
          listReduced(api, { path: attachmentsPath(version), schema: volumeAttachmentSchema }, reduce),
        ),
      ),
  };
}

const storage = 'storage.k8s.io';
const csiNodes = { group: storage, plural: 'csinodes' } as const;

/** A server that has StorageClasses and does not know CSINodes, as Kubernetes 1.11, has none: then no limit is left out. */
async function listCsiNodes<Kept>(api: Api, reduce: Reduce<CSINode, Kept>): Promise<readonly Kept[]> {
  const inServedVersion = servedVersion(api, csiNodes);
  try {
    return await inServedVersion((version) =>
      listReduced(api, { path: `/apis/${storage}/${version}/csinodes`, schema: csiNodeSchema }, reduce),
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const [hasClasses, hasCsiNodes] = await Promise.all([
      isServed(api, { group: storage, plural: 'storageclasses' }),
      isServed(api, csiNodes),
    ]);
    if (!hasClasses || hasCsiNodes) throw error;
    return [];
  }
}

/** Only a refusal that lasts makes a list absent. A plan that leaves a limit out because the server was busy would promise too much. */
async function optionally<Kept>(read: () => Promise<readonly Kept[]>): Promise<OptionalList<Kept>> {
  try {
    return { status: 'read', items: await read() };
  } catch (error) {
    if (isForbidden(error)) return { status: 'absent', reason: 'forbidden' };
    if (isNotFound(error)) return { status: 'absent', reason: 'the API server does not serve them' };
    throw error;
  }
}
