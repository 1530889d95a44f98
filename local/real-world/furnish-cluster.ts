import { readFileSync } from 'node:fs';
import type { Cloud, Wiring } from '@drover/cloud-sandbox';
import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import type { ClusterAccess } from '@drover/cloud-sandbox/real/kubernetes/cluster-access.ts';
import { publishKubeconfig } from '../cloud/furnish.ts';
import { applyManifests } from '../deployment/apply-manifests.ts';

/** Applies the manifests of Drover's documentation; `rbac`: YAML instead of deploy/rbac.yaml. */
export async function furnishCluster(
  admin: ClusterAdmin,
  {
    rbac = read('deploy/rbac.yaml'),
    approver = 'controller-manager',
  }: { readonly rbac?: string; readonly approver?: 'controller-manager' | 'drover' },
): Promise<void> {
  const manifests = [rbac, read('deploy/admission.yaml'), read('deploy/flow-schema.yaml')];
  if (approver === 'controller-manager') manifests.push(approvals);
  for (const yaml of manifests) await applyManifests(yaml, admin);
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** As kubeadm does: a client with a bootstrap token gets a node's client certificate without manual approval. */
const approvals = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: approve-node-clients }
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: system:certificates.k8s.io:certificatesigningrequests:nodeclient
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:bootstrappers }]
`;

/** Drover's kubeconfig, under every parameter that a function reads it from. */
export function publishKubeconfigs(
  cloud: Cloud,
  { wiring, access }: { readonly wiring: Wiring; readonly access: ClusterAccess },
): void {
  const names = wiring.functions.flatMap(({ environment }) => environment.DROVER_KUBECONFIG_PARAMETER ?? []);
  for (const parameterName of new Set(names))
    publishKubeconfig(cloud, {
      parameterName,
      server: access.url,
      token: access.droverToken,
      certificateAuthority: access.files.authority.certificate,
    });
}
