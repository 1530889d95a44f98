import type { Cloud, Wiring } from '@drover/cloud-sandbox';
import { manifestsOf311 } from '../../cli/rbac/openshift-3.11.ts';
import { clusterName } from '../names.ts';
import { publishKubeconfig } from './furnish.ts';

/** The Kubernetes of OpenShift 3.11. */
export const release311 = { release: '1.11' } as const;

/** Where docs/openshift-3.11.md publishes the credential of new nodes. */
export const bootstrapperParameter = `/drover/${clusterName}/node-bootstrapper-kubeconfig`;

const namespace = 'openshift-infra';
const name = 'node-bootstrapper';

/** A deployment with `bootstrap: off`. */
export const withoutBootstrap = (wiring: Wiring): Wiring => ({
  ...wiring,
  rules: wiring.rules.filter(({ rule }) => !rule.Name.endsWith('-bootstrap-credential')),
});

/** Manifests as an administrator of 3.11 writes them: the rights of `drover rbac --openshift-3.11`, and budgets in v1beta1. */
export const manifestsFor311 = (yaml: string): string =>
  manifestsOf311(yaml).replaceAll('apiVersion: policy/v1\n', 'apiVersion: policy/v1beta1\n');

/** The ServiceAccount with which nodes of 3.11 ask, its right, and its kubeconfig in Parameter Store. */
export function furnishBootstrapper(cloud: Cloud, server: string): void {
  const { kubernetes } = cloud;
  const apiGroup = 'rbac.authorization.k8s.io';
  kubernetes.registry.create(`clusterrolebindings.${apiGroup}`, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  });
  const token = kubernetes.addToken({
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  });
  publishKubeconfig(cloud, { parameterName: bootstrapperParameter, server, token });
}
