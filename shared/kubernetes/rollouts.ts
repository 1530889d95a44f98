import type { DrainCluster } from '../nodes/cluster.ts';
import { type Api, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { deploymentSchema, getObject, replicaSetSchema } from './lists.ts';

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
