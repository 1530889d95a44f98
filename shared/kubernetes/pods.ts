import type { DaemonSetLookup, DrainCluster, PodIdentity } from '../nodes/cluster.ts';
import { type Api, type ApiRequest, isSuccess, nameOf, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { evictionAnswer, isUidConflict } from './eviction-answer.ts';
import { listAll, listCached } from './lists.ts';
import { budgetSchema, podSchema } from './objects.ts';
import { errorOf, statusOf } from './status.ts';

interface GraceOptions {
  readonly gracePeriodSeconds?: number;
}

/** DeleteOptions that only match the object with this UID. */
export const deleteOptions = (uid: string, { gracePeriodSeconds }: GraceOptions = {}) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  preconditions: { uid },
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
});

/** Sends a deletion. A 404 and another UID under the name both mean `gone`. */
export async function deleteObject(api: Api, request: ApiRequest): Promise<'deleted' | 'gone'> {
  const response = await api.exchange(request);
  if (isSuccess(response)) return 'deleted';
  if (response.status === 404 || isUidConflict(response)) return 'gone';
  throw errorOf(nameOf(request), response);
}

const podPath = ({ namespace, name }: PodIdentity): string =>
  pathOf('api', 'v1', 'namespaces', namespace, 'pods', name);

/** A node has at most some hundred pods, of some ten kilobytes each. */
const longestPodsBytes = 32 * 1024 * 1024;

type PodCalls = Pick<
  DrainCluster,
  'listPodsOnNode' | 'evictPod' | 'deletePod' | 'lookUpDaemonSet' | 'listPodDisruptionBudgets'
>;

/** Calls for pods, their DaemonSets and their budgets. */
export const podCalls = (api: Api): PodCalls => ({
  listPodsOnNode: (nodeName, consistency) => {
    const query = { fieldSelector: `spec.nodeName=${nodeName}` };
    const list = consistency === 'cached' ? listCached : listAll;
    return list(api, {
      path: '/api/v1/pods',
      query,
      longestAnswerBytes: longestPodsBytes,
      schema: podSchema,
    });
  },
  evictPod: async (pod, options) => {
    const { uid, namespace, name } = pod;
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace, name },
      deleteOptions: deleteOptions(uid, options),
    };
    const path = `${podPath(pod)}/eviction`;
    return evictionAnswer(
      await api.exchange({ method: 'POST', path, body, timeoutMilliseconds: writeTimeoutMilliseconds }),
    );
  },
  deletePod: (pod, options) =>
    deleteObject(api, {
      method: 'DELETE',
      path: podPath(pod),
      body: deleteOptions(pod.uid, options),
      timeoutMilliseconds: writeTimeoutMilliseconds,
    }),
  lookUpDaemonSet: async (namespace, name): Promise<DaemonSetLookup> => {
    const path = pathOf('apis', 'apps', 'v1', 'namespaces', namespace, 'daemonsets', name);
    const response = await api.exchange({ method: 'GET', path });
    if (isSuccess(response)) return 'found';
    if (response.status === 404) return 'gone';
    return { unknown: `${response.status} ${statusOf(response).message}` };
  },
  listPodDisruptionBudgets: (namespace) => {
    const path = pathOf('apis', 'policy', 'v1', 'namespaces', namespace, 'poddisruptionbudgets');
    return listCached(api, { path, schema: budgetSchema });
  },
});
