import { pathOf } from '../../shared/kubernetes/api.ts';
import type { KubernetesObject } from './plan/observation.ts';

/** The resources of the kinds that a plan writes. */
const resources: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  ConfigMap: 'configmaps',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

/** Where objects of this kind are created. */
export function collectionPath({ apiVersion, kind, metadata }: KubernetesObject): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const base = group ? pathOf('apis', group, version ?? '') : pathOf('api', version ?? '');
  const namespace = metadata.namespace === undefined ? '' : pathOf('namespaces', metadata.namespace);
  return `${base}${namespace}${pathOf(resources[kind] ?? '')}`;
}

export const objectPath = (object: KubernetesObject): string =>
  `${collectionPath(object)}${pathOf(object.metadata.name)}`;
