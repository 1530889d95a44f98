import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { stringify } from 'yaml';
import { applyManifests } from '../../../../local/deployment/apply-manifests.ts';
import type { RbacManifest } from '../../../../local/world/rbac.ts';

const namespace = 'kube-system';

/** Gives a ServiceAccount of this name the rights of the manifests, under names of its own; gives a token of it. */
export async function grantAs(
  admin: ClusterAdmin,
  { name, manifests }: { readonly name: string; readonly manifests: readonly RbacManifest[] },
): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  const renamed = manifests.filter(({ kind }) => kind !== 'ServiceAccount').map((one) => rename(one, name));
  await applyManifests([account, ...renamed].map((one) => stringify(one)).join('---\n'), admin);
  const { status, body } = await requestOf(admin, {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  if (status !== 201) throw new Error(`no token of ${name}: ${status} ${body}`);
  return (JSON.parse(body) as { readonly status: { readonly token: string } }).status.token;
}

function rename(manifest: RbacManifest, name: string): object {
  const metadata = { ...manifest.metadata, name: `${manifest.metadata?.name}-${name}` };
  if (manifest.kind !== 'ClusterRoleBinding' && manifest.kind !== 'RoleBinding')
    return { ...manifest, metadata };
  const { roleRef, subjects = [] } = manifest;
  // Bindings of the cluster's own roles to the groups of nodes stay as they are.
  const isOfCluster = roleRef.name.startsWith('system:');
  return {
    ...manifest,
    metadata,
    roleRef: isOfCluster ? roleRef : { ...roleRef, name: `${roleRef.name}-${name}` },
    subjects: isOfCluster ? subjects : [{ kind: 'ServiceAccount', name, namespace }],
  };
}
