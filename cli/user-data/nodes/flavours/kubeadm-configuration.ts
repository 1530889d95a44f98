import { kubeletConfiguration } from '../kubelet-configuration.ts';
import { labelText } from '../labels.ts';
import { yamlText } from '../machine-file.ts';
import type { NodeSettings } from '../settings.ts';

const pki = '/etc/kubernetes/pki';

/** Where the image has kubeadm's default folder. */
interface Image {
  readonly usrIsReadOnly: boolean;
}

/**
 * The folder for plug-ins of volumes on images with a read-only `/usr`, where the controller manager would not start with the default one
 * (Kubernetes, "Troubleshooting kubeadm", "/usr is mounted read-only on nodes").
 */
const volumePlugins = '/opt/libexec/kubernetes/kubelet-plugins/volume/exec/';

/** The configuration of kubeadm, with `@NODE_NAME@`, `@ADDRESS@` and `@PROVIDER_ID@` for what only the instance knows. Pure. */
export const kubeadmConfiguration = (settings: NodeSettings, image: Image): string =>
  documentsOf(settings, image)
    .map((document) => `---\n${yamlText(document)}`)
    .join('');

const documentsOf = (settings: NodeSettings, image: Image): readonly object[] =>
  settings.init
    ? [
        initConfiguration(settings, image),
        clusterConfiguration(settings, image),
        kubeletConfiguration(settings),
      ]
    : [joinConfiguration(settings, image)];

const localApiEndpoint = { advertiseAddress: '@ADDRESS@', bindPort: 6443 };

/** `v1beta4` exists from 1.31 on (kubeadm's release notes). */
const isBeta4 = ({ kubernetesVersion = '' }: NodeSettings): boolean =>
  Number(kubernetesVersion.split('.')[1]) >= 31;

const apiVersion = (settings: NodeSettings): string =>
  `kubeadm.k8s.io/${isBeta4(settings) ? 'v1beta4' : 'v1beta3'}`;

const joinConfiguration = (settings: NodeSettings, image: Image) => ({
  apiVersion: apiVersion(settings),
  kind: 'JoinConfiguration',
  discovery: { file: { kubeConfigPath: '/var/lib/drover-node/discovery.kubeconfig' } },
  ...(settings.role === 'control-plane' && { controlPlane: { localAPIEndpoint: localApiEndpoint } }),
  nodeRegistration: nodeRegistration(settings, image),
});

const initConfiguration = (settings: NodeSettings, image: Image) => ({
  apiVersion: apiVersion(settings),
  kind: 'InitConfiguration',
  localAPIEndpoint: localApiEndpoint,
  nodeRegistration: nodeRegistration(settings, image),
});

function nodeRegistration(settings: NodeSettings, { usrIsReadOnly }: Image) {
  const { taints, labels, kubeletFlags, maxPods, init } = settings;
  const extra = [
    { name: 'provider-id', value: '@PROVIDER_ID@' },
    ...(labels.length > 0 ? [{ name: 'node-labels', value: labels.map(labelText).join(',') }] : []),
    // A node that joins has the configuration of the cluster: what is its own is a flag.
    ...(maxPods !== undefined && !init ? [{ name: 'max-pods', value: String(maxPods) }] : []),
    ...(usrIsReadOnly ? [{ name: 'volume-plugin-dir', value: volumePlugins }] : []),
    ...kubeletFlags,
  ];
  return {
    name: '@NODE_NAME@',
    ...(taints.length > 0 && { taints: taints.map(({ key, value, effect }) => ({ key, value, effect })) }),
    kubeletExtraArgs: extraArgs(settings, extra),
  };
}

/** Flags as the version of the configuration has them: a list, or a map. */
const extraArgs = (
  settings: NodeSettings,
  flags: readonly { readonly name: string; readonly value: string }[],
) =>
  isBeta4(settings)
    ? flags.map(({ name, value }) => ({ name, value }))
    : Object.fromEntries(flags.map(({ name, value }) => [name, value]));

const clusterConfiguration = (settings: NodeSettings, { usrIsReadOnly }: Image) => ({
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
  ...(usrIsReadOnly && {
    controllerManager: {
      extraArgs: extraArgs(settings, [{ name: 'flex-volume-plugin-dir', value: volumePlugins }]),
    },
  }),
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
