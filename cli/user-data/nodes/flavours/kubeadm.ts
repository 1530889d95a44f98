import { isIP } from 'node:net';
import { bootScript, warmPoolDropIn } from '../boot-script.ts';
import type { BootScripts } from '../boot-scripts.ts';
import type { Flavour } from '../flavour.ts';
import { bootScriptPath, cloudConfig, type MachineFile } from '../machine-file.ts';
import type { NodeSettings } from '../settings.ts';
import {
  besideAssignments,
  besideCommands,
  besideFiles,
  besideParameters,
  besideProblems,
} from './etcd-beside.ts';
import { kubeadmConfiguration } from './kubeadm-configuration.ts';

const templatePath = '/etc/kubernetes/drover-kubeadm.yaml';

/** What a control-plane node takes from the certificates of `drover pki`; kubeadm makes the rest with the key of `ca`. */
const pkiFiles: readonly string[] = [
  'ca.crt',
  'ca.key',
  'sa.key',
  'sa.pub',
  'front-proxy-ca.crt',
  'front-proxy-client.crt',
  'front-proxy-client.key',
  'etcd/ca.crt',
  'apiserver-etcd-client.crt',
  'apiserver-etcd-client.key',
];

/** `kubeadm join --control-plane` looks for the key of each authority before it begins; `kubeadm init` does not. */
const pkiFilesOf = ({ role, init }: NodeSettings): readonly string[] => {
  if (role === 'worker') return [];
  return init ? pkiFiles : [...pkiFiles, 'front-proxy-ca.key'];
};

/** What leads to the API servers, if it is a name and this machine founds the cluster. */
function endpointName({ init, endpoint }: NodeSettings): string {
  const host = init && endpoint !== undefined ? new URL(endpoint).hostname : '';
  return host.startsWith('[') || isIP(host) !== 0 ? '' : host;
}

/** Workers and control planes of kubeadm. */
export const kubeadm: Flavour = {
  description: 'kubeadm: a cloud-config for workers and control planes',
  cannot: {
    iam: 'kubeadm joins with a bootstrap token: use the flavour script for nodes that join with IAM',
    registryParameter: 'only OpenShift reads it',
    nodeConfig: 'only OpenShift has it',
    nodeService: 'only OpenShift has it',
    kubelet: 'the package of kubeadm decides it',
  },
  needs: { kubernetesVersion: 'it decides the version of kubeadm’s configuration, such as 1.34.4' },
  problems: (settings) => [
    ...roleProblems(settings),
    ...versionProblems(settings),
    ...besideProblems(settings),
  ],
  parameters: (settings) => [
    ...(settings.init ? [] : [settings.credentialParameter]),
    ...besideParameters(settings),
    ...pkiFilesOf(settings).map((file) => `${settings.pkiSource}/${file}`),
  ],
  render: (settings, scripts) => {
    const { files, unit } = kubeadmParts(settings, scripts, { bootScriptPath, usrIsReadOnly: false });
    return cloudConfig(
      [
        ...files,
        { path: `/etc/systemd/system/${kubeadmUnit}`, permissions: '0644', content: unit },
        warmPoolDropIn('kubelet'),
        ...besideFiles(settings, scripts),
      ],
      [
        ...besideCommands(settings),
        ['systemctl', 'daemon-reload'],
        ['systemctl', 'enable', kubeadmUnit],
        ['systemctl', 'start', '--no-block', kubeadmUnit],
      ],
    );
  },
};

/** The unit that runs kubeadm once. */
export const kubeadmUnit = 'drover-node.service';

/** What the image decides of the user data. */
export interface KubeadmImage {
  readonly bootScriptPath: string;
  /** As on Flatcar and Fedora CoreOS: programs may be in `/opt/bin`, and kubeadm's default folder for plug-ins of volumes cannot be made. */
  readonly usrIsReadOnly: boolean;
}

/** The boot script, kubeadm's configuration, and the text of the unit that runs kubeadm. Pure. */
export function kubeadmParts(
  settings: NodeSettings,
  scripts: BootScripts,
  image: KubeadmImage,
): { readonly files: readonly MachineFile[]; readonly unit: string } {
  const assignments = {
    kubeadm_command: settings.init ? 'init' : 'join',
    kubeadm_template: templatePath,
    pki_source: settings.pkiSource,
    pki_files: pkiFilesOf(settings).join(' '),
    endpoint_name: endpointName(settings),
    ...besideAssignments(settings),
  };
  const script = bootScript(settings, {
    scripts,
    part: 'kubeadm',
    functions: functionsOf(settings),
    assignments,
  });
  return {
    files: [
      { path: image.bootScriptPath, permissions: '0755', content: script },
      { path: templatePath, permissions: '0600', content: kubeadmConfiguration(settings, image) },
    ],
    unit: unitText(image),
  };
}

const functionsOf = ({ etcdDomain, pkiSource, role }: NodeSettings): readonly ('beside' | 's3')[] => [
  ...(etcdDomain === undefined ? [] : (['beside'] as const)),
  ...(role === 'control-plane' && pkiSource.startsWith('s3:') ? (['s3'] as const) : []),
];

function roleProblems(settings: NodeSettings): readonly string[] {
  const { role, init, endpoint, serviceCidr, podCidr, clusterDns, etcdEndpoints } = settings;
  const founding = {
    '--endpoint': endpoint,
    '--service-cidr': serviceCidr,
    '--etcd-endpoint': etcdEndpoints[0],
  };
  if (!init) {
    const useless = Object.entries({ ...founding, '--pod-cidr': podCidr, '--cluster-dns': clusterDns })
      .filter(([, value]) => value !== undefined)
      .map(
        ([flag]) => `${flag} is refused: a node that joins reads it from the cluster; it belongs to --init`,
      );
    return settings.certificateAuthority === undefined
      ? useless
      : [...useless, '--certificate-authority is refused: the published kubeconfig has it'];
  }
  return [
    ...(role === 'worker' ? ['--init needs --role control-plane'] : []),
    ...Object.entries(founding)
      .filter(([, value]) => value === undefined)
      .map(([flag]) => `${flag} is missing: ${foundingRemedies[flag as keyof typeof foundingRemedies]}`),
  ];
}

const foundingRemedies = {
  '--endpoint': 'every node reaches the API servers there, such as https://api.example.com:6443',
  '--service-cidr': 'the cluster is made with it, such as 10.96.0.0/12',
  '--etcd-endpoint':
    'etcd on control-plane nodes would need the key of its authority there, so it runs on nodes of its own (drover user-data etcd), or beside the API servers without it (--etcd beside)',
} as const;

function versionProblems({ kubernetesVersion = '', init }: NodeSettings): readonly string[] {
  const [, minor = '99', patch] = kubernetesVersion.split('.');
  if (Number(minor) < 22) return ['--kubernetes-version is refused: kubeadm reads v1beta3 from 1.22 on'];
  return init && patch === undefined && kubernetesVersion !== ''
    ? [
        '--kubernetes-version needs its patch with --init, such as 1.34.4: kubeadm would ask the internet for it',
      ]
    : [];
}

/** Before systemd 244, as on RHEL 8, a unit of the type oneshot cannot be started again. */
const unitText = ({ bootScriptPath: path, usrIsReadOnly }: KubeadmImage): string => `[Unit]
Description=Makes this instance a node of its cluster
Wants=network-online.target
After=network-online.target containerd.service
StartLimitIntervalSec=0

[Service]
Type=simple
ExecStart=${path}
RemainAfterExit=yes
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=30
RestartPreventExitStatus=78
Environment=HOME=/root
${usrIsReadOnly ? 'Environment=PATH=/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin\n' : ''}
[Install]
WantedBy=multi-user.target
`;
