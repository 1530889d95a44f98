import { join } from 'node:path';
import { droverAt } from '../../cli/pki/support.ts';

/** What kubeadm has made: an authority on the machine, and manifests of its configuration and of the bindings that approve nodes' certificates. */
export async function asKubeadmMadeIt(folder: string): Promise<string> {
  const certificatesDir = join(folder, 'pki');
  const names = '--domain etcd.example.internal --names api.example.internal';
  await droverAt(Date.now())(`pki ${names} --out ${certificatesDir}`);
  return [
    configuration(certificatesDir),
    approval('bootstrap', 'nodeclient', 'system:bootstrappers:kubeadm:default-node-token'),
    approval('certificate-rotation', 'selfnodeclient', 'system:nodes'),
  ].join('---\n');
}

const configuration = (certificatesDir: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { namespace: kube-system, name: kubeadm-config }
data:
  ClusterConfiguration: |
    apiVersion: kubeadm.k8s.io/v1beta4
    kind: ClusterConfiguration
    kubernetesVersion: v1.34.4
    certificatesDir: ${certificatesDir}
    controlPlaneEndpoint: api.example.internal:6443
`;

const approval = (
  name: string,
  clusterRole: string,
  group: string,
): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: 'kubeadm:node-autoapprove-${name}' }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:certificates.k8s.io:certificatesigningrequests:${clusterRole}' }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: '${group}' }]
`;
