import { kubeletConfiguration } from '../kubelet-configuration.ts';
import { labelText } from '../labels.ts';
import { yamlText } from '../machine-file.ts';
import type { NodeSettings } from '../settings.ts';

const pki = '/etc/kubernetes/pki';

/** The configuration of kubeadm, with `@NODE_NAME@`, `@ADDRESS@` and `@PROVIDER_ID@` for what only the instance knows. Pure. */
export const kubeadmConfiguration = (settings: NodeSettings): string =>
  documentsOf(settings)
    .map((document) => `---\n${yamlText(document)}`)
    .join('');

const documentsOf = (settings: NodeSettings): readonly object[] =>
  settings.init
    ? [initConfiguration(settings), clusterConfiguration(settings), kubeletConfiguration(settings)]
    : [joinConfiguration(settings)];

const localApiEndpoint = { advertiseAddress: '@ADDRESS@', bindPort: 6443 };

/** `v1beta4` exists from 1.31 on (kubeadm's release notes). */
const isBeta4 = ({ kubernetesVersion = '' }: NodeSettings): boolean =>
  Number(kubernetesVersion.split('.')[1]) >= 31;

const apiVersion = (settings: NodeSettings): string =>
  `kubeadm.k8s.io/${isBeta4(settings) ? 'v1beta4' : 'v1beta3'}`;

const joinConfiguration = (settings: NodeSettings) => ({
  apiVersion: apiVersion(settings),
  kind: 'JoinConfiguration',
  discovery: { file: { kubeConfigPath: '/var/lib/drover-node/discovery.kubeconfig' } },
  ...(settings.role === 'control-plane' && { controlPlane: { localAPIEndpoint: localApiEndpoint } }),
  nodeRegistration: nodeRegistration(settings),
});

const initConfiguration = (settings: NodeSettings) => ({
  apiVersion: apiVersion(settings),
  kind: 'InitConfiguration',
  localAPIEndpoint: localApiEndpoint,
  nodeRegistration: nodeRegistration(settings),
});

function nodeRegistration(settings: NodeSettings) {
  const { taints, labels, kubeletFlags, maxPods, init } = settings;
  const extra = [
    { name: 'provider-id', value: '@PROVIDER_ID@' },
    ...(labels.length > 0 ? [{ name: 'node-labels', value: labels.map(labelText).join(',') }] : []),
    // A node that joins has the configuration of the cluster: what is its own is a flag.
    ...(maxPods !== undefined && !init ? [{ name: 'max-pods', value: String(maxPods) }] : []),
    ...kubeletFlags,
  ];
  return {
    name: '@NODE_NAME@',
    ...(taints.length > 0 && { taints: taints.map(({ key, value, effect }) => ({ key, value, effect })) }),
    kubeletExtraArgs: isBeta4(settings)
      ? extra.map(({ name, value }) => ({ name, value }))
      : Object.fromEntries(extra.map(({ name, value }) => [name, value])),
  };
}

const clusterConfiguration = (settings: NodeSettings) => ({
  apiVersion: apiVersion(settings),
  kind: 'ClusterConfiguration',
  clusterName: settings.clusterName,
  kubernetesVersion: `v${settings.kubernetesVersion}`,
  controlPlaneEndpoint: withPort(new URL(settings.endpoint ?? 'https://unknown.invalid')),
  networking: {
    serviceSubnet: settings.serviceCidr,
    dnsDomain: 'cluster.local',
    ...(settings.podCidr !== undefined && { podSubnet: settings.podCidr }),
  },
  etcd: {
    external: {
      endpoints: settings.etcdEndpoints,
      caFile: `${pki}/etcd/ca.crt`,
      certFile: `${pki}/apiserver-etcd-client.crt`,
      keyFile: `${pki}/apiserver-etcd-client.key`,
    },
  },
});

const withPort = ({ hostname, port }: URL): string => `${hostname}:${port || '443'}`;
