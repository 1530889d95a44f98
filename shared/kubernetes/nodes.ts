import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { batched } from '../base/batched.ts';
import type { DrainCluster, NodeMetadata } from '../nodes/cluster.ts';
import { leavingLabel } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { type Api, nameOf, pathOf, writeTimeoutMilliseconds } from './api.ts';
import { getObject, listAll, listCached, listNow, metadataSchema, nodeSchema, readObject } from './lists.ts';
import { deleteObject, deleteOptions } from './pods.ts';

const nodePath = (name: string): string => pathOf('api', 'v1', 'nodes', name);

/** Asks for objects without spec and status, of servers before Kubernetes 1.15 in the version that they have. */
export const metadataOnly = ['v1', 'v1beta1']
  .map((version) => `application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=${version}`)
  .join(',');

const metadataOf = ({ metadata }: { readonly metadata?: ObjectMeta }): NodeMetadata => ({
  name: metadata?.name ?? '',
  uid: metadata?.uid ?? '',
  labels: metadata?.labels ?? {},
  annotations: metadata?.annotations ?? {},
});

/** A selector is part of the request line, which servers and proxies limit to about 8 KiB. */
const marksPerList = 100;

async function listMarked(api: Api, instanceIds: readonly string[]): Promise<ReadonlyMap<string, Node>> {
  const labelSelector = `${leavingLabel} in (${instanceIds.join(',')})`;
  const nodes = await listNow(api, {
    path: '/api/v1/nodes',
    query: { labelSelector },
    schema: nodeSchema,
  });
  const labelOf = ({ metadata }: Node): string => metadata?.labels?.[leavingLabel] ?? '';
  const isOwn = (node: Node): boolean => instanceIdOf(node.spec?.providerID) === labelOf(node);
  // A kubelet can label its own Node with any instance. The Node of the instance hides it.
  const ownLast = nodes.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)));
  return new Map(ownLast.map((node) => [labelOf(node), node]));
}

type NodeCalls = Pick<
  DrainCluster,
  'getNode' | 'getMarkedNode' | 'listNodes' | 'listNodeMetadata' | 'patchNode' | 'deleteNode'
>;

/** Calls for Nodes. */
export const nodeCalls = (api: Api): NodeCalls => ({
  getNode: (name) => getObject(api, nodePath(name), nodeSchema),
  getMarkedNode: batched({ limit: marksPerList, load: (instanceIds) => listMarked(api, instanceIds) }),
  listNodes: (consistency = 'cached') => {
    const list = consistency === 'cached' ? listCached : listAll;
    return list(api, { path: '/api/v1/nodes', schema: nodeSchema });
  },
  listNodeMetadata: async (labelSelector, notBefore) => {
    const request = {
      path: '/api/v1/nodes',
      query: { labelSelector },
      accept: metadataOnly,
      schema: metadataSchema,
    };
    // The watch cache may be minutes behind (kubernetes/kubernetes#59848).
    const list = notBefore === undefined ? listCached : listNow;
    return (await list(api, request)).map(metadataOf);
  },
  patchNode: async (name, patch) => {
    const contentType = 'application/strategic-merge-patch+json';
    const request = {
      method: 'PATCH',
      path: nodePath(name),
      body: patch,
      contentType,
      timeoutMilliseconds: writeTimeoutMilliseconds,
    } as const;
    return readObject(nodeSchema, await api.call(request), nameOf(request));
  },
  deleteNode: ({ name, uid }) =>
    deleteObject(api, {
      method: 'DELETE',
      path: nodePath(name),
      body: deleteOptions(uid),
      timeoutMilliseconds: writeTimeoutMilliseconds,
    }),
});
