import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cloud } from '@drover/cloud-sandbox';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import { parseAllDocuments } from 'yaml';

/** An object of deploy/rbac.yaml. */
export type RbacManifest =
  | (ClusterRole & { readonly kind: 'ClusterRole' })
  | (ClusterRoleBinding & { readonly kind: 'ClusterRoleBinding' })
  | (Role & { readonly kind: 'Role' })
  | (RoleBinding & { readonly kind: 'RoleBinding' })
  | { readonly kind: 'ServiceAccount'; readonly metadata: { readonly name: string } };

/** What an operator applies before the deployment: deploy/rbac.yaml. */
export const rbacManifests = (): readonly RbacManifest[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, '../../deploy/rbac.yaml'), 'utf8')).map(
    (document) => document.toJS() as RbacManifest,
  );

/** Puts the manifests into the simulated cluster. */
export function grantRights({ kubernetes: { registry } }: Cloud, manifests: readonly RbacManifest[]): void {
  for (const manifest of manifests) {
    if (manifest.kind === 'ServiceAccount') registry.create('serviceaccounts', manifest);
    else if (manifest.kind === 'Role') registry.create('roles.rbac.authorization.k8s.io', manifest);
    else if (manifest.kind === 'RoleBinding')
      registry.create('rolebindings.rbac.authorization.k8s.io', manifest);
    else if (manifest.kind === 'ClusterRole')
      registry.create('clusterroles.rbac.authorization.k8s.io', manifest);
    else registry.create('clusterrolebindings.rbac.authorization.k8s.io', manifest);
  }
}
