import type * as z from 'zod/mini';
import { parseJson } from '../base/parse-json.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { type Api, isSuccess, nameOf, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { deploymentSchema, readObject, replicaSetSchema } from './lists.ts';
import { errorOf } from './status.ts';

type RolloutCalls = Pick<DrainCluster, 'getReplicaSet' | 'getDeployment' | 'patchDeployment'>;

const pathTo = (plural: string, namespace: string, name: string): string =>
  pathOf('apis', 'apps', 'v1', 'namespaces', namespace, plural, name);

/** Calls for Deployments and their ReplicaSets. */
export const rolloutCalls = (api: Api): RolloutCalls => ({
  getReplicaSet: (namespace, name) =>
    getObject(api, pathTo('replicasets', namespace, name), replicaSetSchema),
  getDeployment: (namespace, name) =>
    getObject(api, pathTo('deployments', namespace, name), deploymentSchema),
  patchDeployment: async (namespace, name, patch) => {
    await api.call({
      method: 'PATCH',
      path: pathTo('deployments', namespace, name),
      body: patch,
      contentType: 'application/strategic-merge-patch+json',
      timeoutMilliseconds: writeTimeoutMilliseconds,
    });
  },
});

async function getObject<T>(api: Api, path: string, schema: () => z.ZodMiniType<T>): Promise<T | undefined> {
  const request = { method: 'GET', path } as const;
  const response = await api.exchange(request);
  if (response.status === 404) return undefined;
  if (!isSuccess(response)) throw errorOf(nameOf(request), response);
  return readObject(schema, parseJson(response.body), nameOf(request));
}
