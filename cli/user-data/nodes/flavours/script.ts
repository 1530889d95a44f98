import { bootScript } from '../boot-script.ts';
import type { BootScripts } from '../boot-scripts.ts';
import type { Flavour } from '../flavour.ts';
import { kubeletConfiguration } from '../kubelet-configuration.ts';
import { labelText, taintText } from '../labels.ts';
import { bootScriptPath, type MachineFile, writing, yamlText } from '../machine-file.ts';
import { clusterDnsOf, type NodeSettings } from '../settings.ts';

const configurationPath = '/etc/kubernetes/drover-kubelet.yaml';

/** A kubelet without kubeadm: a shell script for cloud-init, or for anything that runs user data. */
export const script: Flavour = {
  description: 'a shell script that starts the kubelet of the image',
  cannot: {
    controlPlane: 'a kubelet is not enough for a control plane: use kubeadm',
    init: 'a kubelet is not enough for a control plane: use kubeadm',
    podCidr: 'the network plugin of the cluster knows it',
    etcdEndpoints: 'only control planes use them: use kubeadm',
    etcdDomain: 'only control planes use it: use kubeadm',
    registryParameter: 'only OpenShift reads it',
    nodeConfig: 'only OpenShift has it',
    nodeService: 'only OpenShift has it',
    kubernetesVersion: 'the image decides it',
  },
  needs: {},
  problems: iamProblems,
  warnings: (settings) =>
    clusterDnsOf(settings).length === 0
      ? [
          'without the address of the cluster’s DNS, pods of these nodes find no services by name: give --service-cidr or --cluster-dns',
        ]
      : [],
  parameters: ({ credential, credentialParameter }) => (credential === 'ssm' ? [credentialParameter] : []),
  render: (settings, scripts) => {
    const files = kubeletFiles(settings, { scripts, path: bootScriptPath, kubelet: '/usr/bin/kubelet' });
    return `#!/bin/bash\nset -euo pipefail\n${files.map(writing).join('')}systemctl daemon-reload
systemctl enable kubelet.service
systemctl restart --no-block kubelet.service\n`;
  },
};

/** Settings that a kubelet needs if it authenticates only with IAM. */
export function iamProblems({ credential, endpoint, certificateAuthority }: NodeSettings): readonly string[] {
  const given = [endpoint, certificateAuthority].filter((one) => one !== undefined).length;
  if (credential === 'iam' && given < 2)
    return [
      '--credential iam needs --endpoint and --certificate-authority: no parameter contains the address of the cluster',
    ];
  if (credential === 'ssm' && given > 0)
    return [
      '--endpoint and --certificate-authority are refused with --credential ssm: the published kubeconfig has them',
    ];
  return [];
}

/** The boot script, the kubelet's configuration and its unit. Pure. */
export function kubeletFiles(
  settings: NodeSettings,
  {
    scripts,
    path,
    kubelet,
  }: { readonly scripts: BootScripts; readonly path: string; readonly kubelet: string },
): readonly MachineFile[] {
  const assignments = {
    credential: settings.credential,
    kubelet: settings.kubelet ?? kubelet,
    kubelet_configuration: configurationPath,
    kubelet_flags: kubeletFlags(settings),
    certificate_authority: settings.certificateAuthority ?? '',
    iam_kubeconfig: settings.credential === 'iam' ? iamKubeconfig(settings) : '',
  };
  const content = bootScript(settings, { scripts, part: 'script', assignments });
  return [
    { path, permissions: '0755', content },
    {
      path: configurationPath,
      permissions: '0644',
      content: yamlText(kubeletConfiguration(settings, '/etc/kubernetes/drover-ca.crt')),
    },
    { path: '/etc/systemd/system/kubelet.service', permissions: '0644', content: unit },
    // Packages of kubeadm bring a drop-in of their own, which this one follows.
    {
      path: '/etc/systemd/system/kubelet.service.d/99-drover.conf',
      permissions: '0644',
      content: dropIn(path),
    },
  ];
}

const kubeletFlags = ({ labels, taints, kubeletFlags: flags }: NodeSettings): readonly string[] => [
  ...(labels.length > 0 ? [`--node-labels=${labels.map(labelText).join(',')}`] : []),
  ...(taints.length > 0 ? [`--register-with-taints=${taints.map(taintText).join(',')}`] : []),
  ...flags.map(({ name, value }) => `--${name}=${value}`),
];

/** A kubeconfig whose token the AWS CLI makes of the role of the instance; the region is known at boot. */
const iamKubeconfig = ({ clusterName, endpoint }: NodeSettings): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'cluster',
        cluster: { server: endpoint, 'certificate-authority': '/etc/kubernetes/drover-ca.crt' },
      },
    ],
    users: [
      {
        name: 'node',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1beta1',
            command: 'aws',
            args: ['--region', '@REGION@', 'eks', 'get-token', '--cluster-name', clusterName],
            interactiveMode: 'Never',
          },
        },
      },
    ],
    contexts: [{ name: 'node', context: { cluster: 'cluster', user: 'node' } }],
    'current-context': 'node',
  });

/** A script that gives up stays down, with its reason in the journal. */
const unit = `[Unit]
Description=kubelet, started as Drover says
Wants=network-online.target
After=network-online.target containerd.service
StartLimitIntervalSec=0

[Service]
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target
`;

const dropIn = (path: string): string => `[Service]
Type=exec
ExecStart=
ExecStart=${path}
TimeoutStartSec=infinity
RestartPreventExitStatus=78
Environment=HOME=/root
`;
