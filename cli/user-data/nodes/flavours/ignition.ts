import { compressedFile, ignitionFile, ignitionVersion } from '../../ignition.ts';
import { warmPoolDropIn } from '../boot-script.ts';
import type { BootScripts } from '../boot-scripts.ts';
import type { Flavour } from '../flavour.ts';
import type { MachineFile } from '../machine-file.ts';
import type { NodeSettings } from '../settings.ts';
import { besideIgnition } from './etcd-beside.ts';
import { kubeadm, kubeadmParts, kubeadmUnit } from './kubeadm.ts';
import { kubeletFiles, script } from './script.ts';

/** Where a distribution lets files be, and what Butane calls it. Both versions of Butane's schema become Ignition 3.4.0. */
interface Distribution {
  readonly variant: 'flatcar' | 'fcos';
  readonly version: string;
  readonly bootScriptPath: string;
  readonly kubelet: string;
  readonly etcd: string;
}

/** The source of a configuration, as Butane reads it: a file that YAML or JSON can carry. */
export interface Butane {
  readonly variant: string;
  readonly version: string;
  readonly storage: {
    readonly files: readonly {
      readonly path: string;
      readonly mode: number;
      readonly contents: { readonly inline: string };
    }[];
  };
  readonly systemd: {
    readonly units: readonly {
      readonly name: string;
      readonly enabled: boolean;
      readonly contents: string;
      readonly dropins: readonly { readonly name: string; readonly contents: string }[];
    }[];
  };
}

const systemd = '/etc/systemd/system/';

/** Pure. */
function butaneOf(settings: NodeSettings, scripts: BootScripts, distribution: Distribution): Butane {
  const { variant, version, bootScriptPath, kubelet } = distribution;
  const files = kubeletFiles(settings, { scripts, path: bootScriptPath, kubelet });
  const [unit, dropin] = files.filter(({ path }) => path.startsWith(systemd));
  return {
    variant,
    version,
    storage: { files: files.filter(({ path }) => !path.startsWith(systemd)).map(butaneFile) },
    systemd: {
      units: [
        {
          name: 'kubelet.service',
          enabled: true,
          contents: unit?.content ?? '',
          dropins: [{ name: dropin?.path.split('/').at(-1) ?? '', contents: dropin?.content ?? '' }],
        },
      ],
    },
  };
}

const butaneFile = ({ path, permissions, content }: MachineFile) => ({
  path,
  mode: Number.parseInt(permissions, 8),
  contents: { inline: content },
});

/** What `butane` makes of it, but for compression. Pure. */
export const ignitionOf = ({ storage, systemd: { units } }: Butane) => ({
  ignition: ignitionVersion,
  storage: {
    files: storage.files.map(({ path, mode, contents }) =>
      ignitionFile({ path, mode, text: contents.inline }),
    ),
  },
  systemd: { units },
});

/**
 * A control plane of kubeadm. Its image brings kubeadm and the kubelet with kubeadm's unit, as the system extension of Flatcar and the
 * packages of Fedora do. Pure.
 */
function controlPlaneOf(settings: NodeSettings, scripts: BootScripts, distribution: Distribution) {
  const { bootScriptPath, etcd } = distribution;
  const { files, unit } = kubeadmParts(settings, scripts, { bootScriptPath, usrIsReadOnly: true });
  const member = besideIgnition(settings, scripts, etcd);
  const pool = warmPoolDropIn('kubelet', `${bootScriptPath} leave-pool`);
  return {
    ignition: ignitionVersion,
    ...(member && { passwd: member.passwd }),
    storage: {
      ...(member && { directories: member.storage.directories }),
      files: [
        ...files.map(({ path, permissions, content }) =>
          compressedFile({ path, mode: Number.parseInt(permissions, 8), text: content }),
        ),
        ...(member?.storage.files ?? []),
      ],
    },
    systemd: {
      units: [
        { name: kubeadmUnit, enabled: true, contents: unit },
        {
          name: 'kubelet.service',
          enabled: true,
          dropins: [{ name: pool.path.split('/').at(-1) ?? '', contents: pool.content }],
        },
        ...(member?.systemd.units ?? []),
      ],
    },
  };
}

const noGzip = 'Ignition reads no compressed user data';

const flavourOf = (description: string, distribution: Distribution): Flavour => ({
  ...script,
  description,
  cannot: {
    ...script.cannot,
    iam: 'the image has no AWS CLI, which would make the tokens: use --credential ssm',
  },
  noGzip,
  render: (settings, scripts) => `${JSON.stringify(ignitionOf(butaneOf(settings, scripts, distribution)))}\n`,
  controlPlane: {
    ...kubeadm,
    noGzip,
    render: (settings, scripts) => `${JSON.stringify(controlPlaneOf(settings, scripts, distribution))}\n`,
  },
});

const distributions = {
  flatcar: {
    variant: 'flatcar',
    version: '1.1.0',
    bootScriptPath: '/opt/bin/drover-node',
    kubelet: '/opt/bin/kubelet',
    etcd: '/opt/bin/etcd',
  },
  fcos: {
    variant: 'fcos',
    version: '1.5.0',
    bootScriptPath: '/usr/local/bin/drover-node',
    kubelet: '/usr/bin/kubelet',
    etcd: '/usr/local/bin/etcd',
  },
} as const satisfies Record<string, Distribution>;

export const flatcar = flavourOf('Flatcar: an Ignition configuration', distributions.flatcar);
export const fedoraCoreos = flavourOf('Fedora CoreOS: an Ignition configuration', distributions.fcos);

/** For the comparison with Butane itself. */
export const butaneSource = (
  settings: NodeSettings,
  scripts: BootScripts,
  name: keyof typeof distributions,
): Butane => butaneOf(settings, scripts, distributions[name]);
