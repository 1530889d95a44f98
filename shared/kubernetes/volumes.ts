import { parseJson } from '../base/parse-json.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { type Api, isSuccess, nameOf, pathOf } from './api.ts';
import { claimSchema, listCached, readObject, volumeAttachmentSchema } from './lists.ts';
import { errorOf } from './status.ts';

/** Calls for volumes: those attached to a Node, and the volume of a claim. */
export const volumeCalls = (api: Api): Pick<DrainCluster, 'listVolumeAttachments' | 'volumeOfClaim'> => ({
  // The API server has no field selector for the spec of an attachment.
  listVolumeAttachments: async (nodeName) => {
    const path = '/apis/storage.k8s.io/v1/volumeattachments';
    const all = await listCached(api, { path, schema: volumeAttachmentSchema });
    return all.filter((attachment) => attachment.spec.nodeName === nodeName);
  },
  volumeOfClaim: async (namespace, claimName) => {
    const path = pathOf('api', 'v1', 'namespaces', namespace, 'persistentvolumeclaims', claimName);
    const request = { method: 'GET', path } as const;
    const response = await api.exchange(request);
    if (response.status === 404) return undefined;
    if (!isSuccess(response)) throw errorOf(nameOf(request), response);
    const claim = readObject(claimSchema, parseJson(response.body), nameOf(request));
    return claim.spec?.volumeName || undefined;
  },
});
