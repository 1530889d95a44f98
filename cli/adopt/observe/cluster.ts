import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { parseJson } from '../../../shared/base/parse-json.ts';
import { type Api, isSuccess, nameOf } from '../../../shared/kubernetes/api.ts';
import { configMapData } from '../../../shared/kubernetes/config-maps.ts';
import {
  clusterRoleBindingSchema,
  clusterRoleSchema,
  listAll,
  metadataSchema,
  nodeSchema,
  podSchema,
  readObject,
} from '../../../shared/kubernetes/lists.ts';
import { errorOf } from '../../../shared/kubernetes/status.ts';
import { certificatesAnnotation, isControlPlane } from '../../../shared/nodes/node-keys.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import { objectPath } from '../kubernetes-paths.ts';
import { type KubernetesObject, keyOf, type Observation, type ObservedNode } from '../plan/observation.ts';
import { machineOf } from './layout.ts';

type ObservedCluster = Pick<
  Observation,
  'nodes' | 'granted' | 'clusterRoles' | 'clusterRoleBindings' | 'isKubeadm'
> & {
  /** The data of aws-auth; undefined if the cluster has no such ConfigMap. */
  readonly awsAuth: Readonly<Record<string, string>> | undefined;
};

/** What the cluster says, with the kubeconfig of the operator. */
export async function observeCluster(
  api: Api,
  manifests: readonly KubernetesObject[],
): Promise<ObservedCluster> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const configMap = configMapData(api);
  const [nodes, etcdPods, clusterRoles, clusterRoleBindings, granted, kubeadm, awsAuth] = await Promise.all([
    listAll(api, { path: '/api/v1/nodes', schema: nodeSchema }),
    listAll(api, {
      path: '/api/v1/namespaces/kube-system/pods',
      query: { labelSelector: 'component=etcd' },
      schema: podSchema,
    }),
    listAll(api, { path: `${rbac}/clusterroles`, schema: clusterRoleSchema }),
    listAll(api, { path: `${rbac}/clusterrolebindings`, schema: clusterRoleBindingSchema }),
    readGranted(api, manifests),
    configMap('kube-system', 'kubeadm-config'),
    configMap('kube-system', 'aws-auth'),
  ]);
  const withEtcd = new Set(etcdPods.flatMap(({ spec }: Pod) => spec?.nodeName ?? []));
  return {
    nodes: nodes.map((node) => observeNode(node, withEtcd)),
    clusterRoles,
    clusterRoleBindings,
    granted,
    isKubeadm: kubeadm !== undefined,
    awsAuth,
  };
}

function observeNode(node: Node, withEtcd: ReadonlySet<string>): ObservedNode {
  const { metadata, spec } = node;
  const name = metadata?.name ?? '';
  return {
    name,
    instanceId: instanceIdOf(spec?.providerID),
    isControlPlane: isControlPlane(metadata?.labels),
    hasEtcd: withEtcd.has(name),
    certificates: metadata?.annotations?.[certificatesAnnotation],
    machine: machineOf(node),
  };
}

async function readGranted(
  api: Api,
  manifests: readonly KubernetesObject[],
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const found = await Promise.all(
    manifests.map(async (manifest) => {
      const request = { method: 'GET', path: objectPath(manifest) } as const;
      const response = await api.exchange(request);
      if (response.status === 404) return [];
      if (!isSuccess(response)) throw errorOf(nameOf(request), response);
      const object = readObject(metadataSchema, parseJson(response.body), nameOf(request));
      return [[keyOf(manifest), object as KubernetesObject] as const];
    }),
  );
  return new Map(found.flat());
}
