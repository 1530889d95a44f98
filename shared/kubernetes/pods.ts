import type { Clock } from '../base/clock.ts';
import type { HttpResponse } from '../net/http.ts';
import type { DaemonSetLookup, DrainCluster, EvictionAnswer, PodIdentity } from '../nodes/cluster.ts';
import { type Api, type ApiRequest, isSuccess, nameOf, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { budgetSchema, listAll, listCached, podSchema } from './lists.ts';
import { evictionVersion, type ServedVersion, servedVersion } from './served-version.ts';
import { errorOf, isStatus, type Status, statusOf } from './status.ts';

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
  | 'listPodsOnNode'
  | 'evictPod'
  | 'markDisrupted'
  | 'deletePod'
  | 'lookUpDaemonSet'
  | 'listPodDisruptionBudgets'
>;

/** Calls for pods, their DaemonSets and their budgets. */
export const podCalls = (api: Api, clock: Clock): PodCalls => ({
  ...evictionCalls(api),
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
  markDisrupted: async (pod, message) => {
    await api.call({
      method: 'PATCH',
      path: `${podPath(pod)}/status`,
      body: disruptionPatch(pod, { message, time: new Date(clock.now()).toISOString() }),
      contentType: 'application/strategic-merge-patch+json',
      timeoutMilliseconds: markTimeoutMilliseconds,
      isUrgent: true,
    });
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
});

/** Evictions and budgets, in the version of policy that the server has. */
function evictionCalls(api: Api): Pick<PodCalls, 'evictPod' | 'listPodDisruptionBudgets'> {
  let version: ServedVersion = 'v1';
  const send = (pod: PodIdentity, options: GraceOptions | undefined): Promise<HttpResponse> => {
    const { uid, namespace, name } = pod;
    const body = {
      apiVersion: `policy/${version}`,
      kind: 'Eviction',
      metadata: { namespace, name },
      deleteOptions: deleteOptions(uid, options),
    };
    const path = `${podPath(pod)}/eviction`;
    return api.exchange({ method: 'POST', path, body, timeoutMilliseconds: writeTimeoutMilliseconds });
  };
  const withBudgets = servedVersion(api, { group: 'policy', plural: 'poddisruptionbudgets' });
  return {
    evictPod: async (pod, options) => {
      const response = await send(pod, options);
      if (!isOfUnknownVersion(response)) return evictionAnswer(response);
      version = (await evictionVersion(api)) ?? version;
      return evictionAnswer(await send(pod, options));
    },
    listPodDisruptionBudgets: (namespace) =>
      withBudgets((served) => {
        const path = pathOf('apis', 'policy', served, 'namespaces', namespace, 'poddisruptionbudgets');
        return listCached(api, { path, schema: budgetSchema });
      }),
  };
}

/** Servers before Kubernetes 1.22 do not know the kind (kubernetes/kubernetes#41656, #100724). */
const isOfUnknownVersion = (response: HttpResponse): boolean =>
  response.status === 400 &&
  statusOf(response).message.includes('no kind "Eviction" is registered for version "policy/v1"');

/** The deletion waits for it, in a pass whose other writes may hang too. Kubernetes has one second as the objective for such a write. */
const markTimeoutMilliseconds = 1000;

/** Conditions are merged by their type. With the UID the API server refuses the patch for another pod of the name. */
const disruptionPatch = (
  { uid }: PodIdentity,
  { message, time }: { readonly message: string; readonly time: string },
) => ({
  metadata: { uid },
  status: {
    conditions: [
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByDrover',
        message,
        lastTransitionTime: time,
      },
    ],
  },
});

/** Whether a UID precondition failed, in an eviction or a deletion. Only the message of the API server shows it. */
export const isUidConflict = (response: HttpResponse): boolean =>
  response.status === 409 && /\bUID in (the )?precondition/.test(statusOf(response).message);

/** What the API server writes before the message of an admission webhook, and if it cannot call one (plugin/webhook/errors). */
const isOfWebhook = ({ message }: Status): boolean =>
  /\badmission webhook "[^"]*" denied the request\b|\bfailed calling webhook\b/.test(message);

/**
 * Reads the answer to an eviction (pkg/registry/core/pod/storage/eviction.go). The cause DisruptionBudget shows that a budget holds the pod:
 * with 429, and from Kubernetes 1.37 on with 403 if the numbers of the budget are wrong. A 429 may also come from an admission webhook
 * that wants the pod to stay for now (kubevirt/kubevirt#4012). Priority and fairness and proxies
 * answer with text. The same request may succeed later after other conflicts, after a budget whose status could not be updated in time
 * (504), and after server errors.
 */
export function evictionAnswer(response: HttpResponse): EvictionAnswer {
  if (response.status >= 200 && response.status < 300) return { kind: 'evicted' };
  if (response.status === 404 || isUidConflict(response)) return { kind: 'gone' };
  const status = statusOf(response);
  const message = messageOf(status, response);
  const retry = status.retryAfterSeconds ? { retryAfterSeconds: status.retryAfterSeconds } : {};
  const isOfBudget = [403, 429].includes(response.status) && status.causes.includes('DisruptionBudget');
  if (isOfBudget || (response.status === 429 && isOfWebhook(status)))
    return { kind: 'held', message, ...retry };
  if (response.status === 403 && status.causes.includes('NamespaceTerminating'))
    return { kind: 'namespace-terminating', message };
  if (/more than one PodDisruptionBudget/.test(status.message)) return { kind: 'several-budgets', message };
  if ([409, 429, 502, 503, 504].includes(response.status) && !isOfWebhook(status))
    return { kind: 'throttled', message, ...(!isStatus(response) && { isServers: true }), ...retry };
  return { kind: 'refused', statusCode: response.status, message };
}

const messageOf = (status: Status, response: HttpResponse): string =>
  status.causeMessages[0] || status.message || `the API server answered ${response.status}`;
