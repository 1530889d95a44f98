import { warmPoolFiles } from '../boot-script.ts';
import type { Flavour } from '../flavour.ts';
import { labelText } from '../labels.ts';
import { cloudConfig, yamlText } from '../machine-file.ts';
import type { NodeSettings } from '../settings.ts';
import { nameProblems, neededOnEks, notOnEks, wordProblems } from './eks.ts';

/** EKS on Amazon Linux 2023: nodeadm reads the part of MIME with its NodeConfig, cloud-init the other one. */
export const eksAl2023: Flavour = {
  description: 'EKS on Amazon Linux 2023: a NodeConfig',
  cannot: notOnEks,
  needs: neededOnEks,
  problems: (settings) => [...nameProblems(settings), ...wordProblems(settings)],
  parameters: () => [],
  render: (settings, scripts) => {
    const files = warmPoolFiles('kubelet', scripts, settings);
    return mime([
      { type: 'application/node.eks.aws', content: `---\n${yamlText(nodeConfig(settings))}` },
      { type: 'text/cloud-config', content: cloudConfig(files, [['systemctl', 'daemon-reload']]) },
    ]);
  },
};

/** https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/ ; nodeadm finds the cluster's DNS by the CIDR of the services. */
export function nodeConfig(settings: NodeSettings) {
  const config = {
    ...(settings.clusterDns !== undefined && { clusterDNS: settings.clusterDns }),
    ...(settings.maxPods !== undefined && { maxPods: settings.maxPods }),
    ...(settings.taints.length > 0 && {
      registerWithTaints: settings.taints.map(({ key, value, effect }) => ({ key, value, effect })),
    }),
  };
  const flags = [
    ...(settings.labels.length > 0 ? [`--node-labels=${settings.labels.map(labelText).join(',')}`] : []),
    ...settings.kubeletFlags.map(({ name, value }) => `--${name}=${value}`),
  ];
  return {
    apiVersion: 'node.eks.aws/v1alpha1',
    kind: 'NodeConfig',
    spec: {
      cluster: {
        name: settings.clusterName,
        apiServerEndpoint: settings.endpoint,
        certificateAuthority: settings.certificateAuthority,
        cidr: settings.serviceCidr,
      },
      ...((Object.keys(config).length > 0 || flags.length > 0) && {
        kubelet: { ...(Object.keys(config).length > 0 && { config }), ...(flags.length > 0 && { flags }) },
      }),
    },
  };
}

interface Part {
  readonly type: string;
  readonly content: string;
}

const boundary = '==DROVER==';

/** No line of a part can be the boundary: each one is YAML of values that are checked. */
const mime = (parts: readonly Part[]): string =>
  [
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts.flatMap(({ type, content }) => [`--${boundary}`, `Content-Type: ${type}`, '', content]),
    `--${boundary}--`,
    '',
  ].join('\n');
