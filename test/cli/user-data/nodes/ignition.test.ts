import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { explain } from '../../../../cli/user-data/explain/explain.ts';
import { bootScripts } from '../../../../cli/user-data/nodes/boot-scripts.ts';
import { butaneSource } from '../../../../cli/user-data/nodes/flavours/ignition.ts';
import { besideFlags, foundingFlags, textOf, userDataOf, usualSettings } from './support.ts';

const scripts = await bootScripts();

describe.each([
  ['flatcar', 'flatcar', '/opt/bin/drover-node'],
  ['fedora-coreos', 'fcos', '/usr/local/bin/drover-node'],
] as const)('the Ignition configuration of %s', (flavour, variant, path) => {
  it('has the files and the unit of its source', async () => {
    const source = butaneSource(usualSettings, scripts, variant);
    const { ignition, storage, systemd } = JSON.parse(await textOf(flavour));
    expect(ignition).toEqual({ version: '3.4.0' });
    expect(systemd).toEqual(source.systemd);
    expect(storage.files.map((file: { readonly path: string }) => file.path)).toEqual(
      source.storage.files.map((file) => file.path),
    );
    const [script] = storage.files;
    expect(script).toMatchObject({ path, mode: 0o755 });
    expect(atob(script.contents.source.replace('data:;base64,', ''))).toBe(
      source.storage.files[0]?.contents.inline,
    );
  });

  it('starts the script instead of the kubelet', async () => {
    const { systemd } = JSON.parse(await textOf(flavour));
    expect(systemd.units[0].dropins[0].contents).toContain(`ExecStart=\nExecStart=${path}\n`);
  });
});

interface Configuration {
  readonly storage: {
    readonly directories?: readonly { readonly path: string; readonly mode: number }[];
    readonly files: readonly {
      readonly path: string;
      readonly mode: number;
      readonly contents: { readonly compression: string; readonly source: string };
    }[];
  };
  readonly systemd: {
    readonly units: readonly {
      readonly name: string;
      readonly enabled: boolean;
      readonly contents?: string;
    }[];
  };
}

const controlPlane = async (flavour: string, flags = besideFlags): Promise<Configuration> =>
  JSON.parse(await textOf(flavour, flags));

const textAt = ({ storage }: Configuration, path: string): string => {
  const file = storage.files.find((one) => one.path === path);
  if (!file) throw new Error(`no ${path} among ${storage.files.map((one) => one.path).join(', ')}`);
  expect(file.contents.compression).toBe('gzip');
  return gunzipSync(Buffer.from(file.contents.source.split(',')[1] ?? '', 'base64')).toString();
};

const unitOf = ({ systemd }: Configuration, name: string) => systemd.units.find((one) => one.name === name);

describe.each([
  ['flatcar', '/opt/bin', '/opt/bin/etcd'],
  ['fedora-coreos', '/usr/local/bin', '/usr/local/bin/etcd'],
])('a control plane of %s with etcd beside it', (flavour, folder, etcd) => {
  it('runs kubeadm and etcd with the scripts of the flavour kubeadm, where the image lets them be', async () => {
    const made = await controlPlane(flavour);
    expect(textAt(made, `${folder}/drover-node`)).toContain("readonly etcd_domain='etcd.example.internal'");
    expect(textAt(made, `${folder}/drover-etcd`)).toContain(`readonly etcd='${etcd}'`);
    expect(unitOf(made, 'drover-node.service')).toMatchObject({
      enabled: true,
      contents: expect.stringContaining(`ExecStart=${folder}/drover-node\n`),
    });
    expect(unitOf(made, 'etcd.service')?.contents).toContain(`ExecStart=${folder}/drover-etcd\n`);
  });

  it('leaves the unit of the kubelet to its image', async () => {
    expect(unitOf(await controlPlane(flavour), 'kubelet.service')).not.toHaveProperty('contents');
  });

  // "/usr is mounted read-only on nodes", https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/troubleshooting-kubeadm/
  it('keeps plug-ins of volumes out of /usr, for the kubelet and the controller manager', async () => {
    const text = textAt(await controlPlane(flavour), '/etc/kubernetes/drover-kubeadm.yaml');
    const [init, cluster] = parseAllDocuments(text).map((one) => one.toJS());
    const value = '/opt/libexec/kubernetes/kubelet-plugins/volume/exec/';
    expect(init.nodeRegistration.kubeletExtraArgs).toContainEqual({ name: 'volume-plugin-dir', value });
    expect(cluster.controllerManager.extraArgs).toEqual([{ name: 'flex-volume-plugin-dir', value }]);
  });

  it('holds no credential, and lets only etcd read its folders', async () => {
    const { credentials, faults } = explain(await textOf(flavour, besideFlags));
    expect([credentials, faults]).toEqual([[], []]);
    expect((await controlPlane(flavour)).storage.directories).toEqual([
      { path: '/var/lib/drover-etcd', user: { name: 'etcd' }, mode: 0o700 },
      { path: '/var/lib/drover-etcd/data', user: { name: 'etcd' }, mode: 0o700 },
    ]);
  });

  it('fits into what EC2 takes', async () => {
    expect(Buffer.byteLength(await textOf(flavour, besideFlags))).toBeLessThan(16_384);
  });
});

describe('a control plane of Flatcar', () => {
  it.each([
    '--role control-plane --kubernetes-version 1.34.4',
    `${foundingFlags} --kubernetes-version 1.34.4`,
  ])('may have its etcd on other instances: %s', async (flags) => {
    const made = await controlPlane('flatcar', flags);
    expect(made.systemd.units.map(({ name }) => name)).toEqual(['drover-node.service', 'kubelet.service']);
    expect(made.storage).not.toHaveProperty('directories');
  });

  it.each([
    ['--role control-plane', '--kubernetes-version is missing'],
    [`${besideFlags} --init`, '--init is refused with --etcd beside'],
    [`${besideFlags} --credential iam`, '--credential iam is refused: kubeadm joins with a bootstrap token'],
    [besideFlags.replace(':6443', ''), '--endpoint needs the port 6443'],
    [`${besideFlags} --gzip`, '--gzip is refused: Ignition reads no compressed user data'],
    [besideFlags.replace('control-plane', 'worker'), '--etcd-domain is refused: only control planes use it'],
  ])('is refused for the reasons of kubeadm: %s', async (flags, why) => {
    const line = `flatcar --cluster prod --no-check ${flags}`;
    expect(await userDataOf(line)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});
