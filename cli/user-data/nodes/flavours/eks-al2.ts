import { isIP } from 'node:net';
import { quoted } from '../../../../shared/base/shell-words.ts';
import { warmPoolFiles } from '../boot-script.ts';
import type { Flavour } from '../flavour.ts';
import { labelText, taintText } from '../labels.ts';
import { writing } from '../machine-file.ts';
import { clusterDnsOf, type NodeSettings } from '../settings.ts';
import { nameProblems, neededOnEks, notOnEks, wordProblems } from './eks.ts';

const lastMinor = 32;

/** EKS on Amazon Linux 2, whose images end with Kubernetes 1.32. */
export const eksAl2: Flavour = {
  description: 'EKS on Amazon Linux 2, up to Kubernetes 1.32: bootstrap.sh',
  cannot: notOnEks,
  needs: {
    ...neededOnEks,
    kubernetesVersion: `there are images of Amazon Linux 2 up to Kubernetes 1.${lastMinor} only`,
  },
  problems: (settings) => [
    ...nameProblems(settings),
    ...versionProblems(settings),
    ...wordProblems(settings),
  ],
  parameters: () => [],
  render: (settings, scripts) => {
    const files = warmPoolFiles('kubelet', scripts, settings).map(writing).join('');
    return `#!/bin/bash
set -euo pipefail
${files}systemctl daemon-reload
${['/etc/eks/bootstrap.sh', quoted(settings.clusterName), ...bootstrapFlags(settings)].join(' \\\n  ')}
`;
  },
};

function versionProblems({ kubernetesVersion = '1.0' }: NodeSettings): readonly string[] {
  const minor = Number(kubernetesVersion.split('.')[1]);
  if (minor <= lastMinor) return [];
  return [
    `--kubernetes-version ${kubernetesVersion} is refused: AWS makes no images of Amazon Linux 2 from 1.${lastMinor + 1} on: use eks-al2023`,
  ];
}

/** The flags of bootstrap.sh (awslabs/amazon-eks-ami, `templates/al2/runtime/bootstrap.sh`). */
function bootstrapFlags(settings: NodeSettings): readonly string[] {
  const { serviceCidr = '', certificateAuthority = '', endpoint = '', maxPods } = settings;
  const dns = clusterDnsOf(settings);
  const isIpv6 = isIP(serviceCidr.split('/')[0] ?? '') === 6;
  const extra = kubeletArguments(settings);
  return [
    `--b64-cluster-ca ${quoted(certificateAuthority)}`,
    `--apiserver-endpoint ${quoted(endpoint)}`,
    ...(dns.length === 1 ? [`--dns-cluster-ip ${quoted(dns.join())}`] : []),
    ...(isIpv6 ? ['--ip-family ipv6', `--service-ipv6-cidr ${quoted(serviceCidr)}`] : []),
    ...(maxPods === undefined ? [] : ['--use-max-pods false']),
    ...(extra.length === 0 ? [] : [`--kubelet-extra-args ${quoted(extra.join(' '))}`]),
  ];
}

const kubeletArguments = ({
  labels,
  taints,
  kubeletFlags,
  maxPods,
  clusterDns = [],
}: NodeSettings): readonly string[] => [
  // bootstrap.sh takes one address.
  ...(clusterDns.length > 1 ? [`--cluster-dns=${clusterDns.join(',')}`] : []),
  ...(maxPods === undefined ? [] : [`--max-pods=${maxPods}`]),
  ...(labels.length > 0 ? [`--node-labels=${labels.map(labelText).join(',')}`] : []),
  ...(taints.length > 0 ? [`--register-with-taints=${taints.map(taintText).join(',')}`] : []),
  ...kubeletFlags.map(({ name, value }) => `--${name}=${value}`),
];
