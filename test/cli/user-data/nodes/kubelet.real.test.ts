import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { isRemovedFlag, removedFlags } from '../../../../cli/user-data/nodes/removed-flags.ts';
import { foundingFlags, textOf } from './support.ts';

/** What user data gives to a kubelet: flags, and fields of its configuration. */
interface Given {
  readonly flags: readonly string[];
  readonly configuration: object;
}

/** Each option that has to do with the kubelet. */
const nodeFlags =
  '--label example.com/team=web --taint dedicated=web:NoSchedule --max-pods 29 --kubelet-flag v=2';
const addressFlags = '--cluster-dns 10.96.0.10';

/** The script, and the flags that its lines and its settings give. Ignition's flavours have the same files. */
async function ofScript(): Promise<Given> {
  const text = await textOf('script', `${nodeFlags} ${addressFlags}`);
  const [, yaml = ''] = /drover-kubelet\.yaml <<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text) ?? [];
  const [, settings = ''] = /kubelet_flags=\(([^)]*)\)/.exec(text) ?? [];
  const lines = [...text.matchAll(/flags\+?=\(([^)]*)\)/g)].map(([, words = '']) => words).join(' ');
  // What only the instance knows, and files that exist only on it, are left out.
  const names = [...lines.matchAll(/--([a-z-]+)=/g)].map(([, name = '']) => name);
  const values: Readonly<Record<string, string>> = {
    'hostname-override': 'ip-10-0-1-17.eu-west-1.compute.internal',
    'provider-id': 'aws:///eu-west-1a/i-0a1b2c3d4e5f60718',
    'resolv-conf': '/etc/resolv.conf',
  };
  const own = names.filter((name) => values[name] !== undefined).map((name) => `--${name}=${values[name]}`);
  expect(own.map((flag) => flag.split('=')[0])).toEqual(Object.keys(values).map((name) => `--${name}`));
  return {
    flags: [...own, ...[...settings.matchAll(/'([^']+)'/g)].map(([, flag = '']) => flag)],
    configuration: parse(yaml),
  };
}

async function ofKubeadm(): Promise<Given> {
  const { write_files: files }: { readonly write_files: readonly { path: string; content: string }[] } =
    parse(
      await textOf(
        'kubeadm',
        `${foundingFlags} ${nodeFlags} ${addressFlags} --kubernetes-version ${kubernetes.version}`,
      ),
    );
  const text = files.find(({ path }) => path.endsWith('drover-kubeadm.yaml'))?.content ?? '';
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  const of = (kind: string) => documents.find((document) => document?.kind === kind);
  const extra: readonly { name: string; value: string }[] =
    of('InitConfiguration').nodeRegistration.kubeletExtraArgs;
  return {
    flags: extra.map(({ name, value }) => `--${name}=${value}`),
    configuration: of('KubeletConfiguration'),
  };
}

async function ofEks(): Promise<Given> {
  const [, part = ''] = (await textOf('eks-al2023', `${nodeFlags} --cluster-dns 172.20.0.10`)).split(
    '--==DROVER==',
  );
  const { spec } = parse(part.slice(part.indexOf('---')));
  return { flags: spec.kubelet.flags, configuration: spec.kubelet.config };
}

const kubelet = (options: readonly string[]): string => {
  const { stdout, stderr } = spawnSync(program(kubernetes, 'kubelet'), options, {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return `${stdout}${stderr}`;
};

/** What a kubelet prints that has no kubeconfig: it ends once it has read its flags and validated its configuration. */
function startedWith({ flags, configuration }: Given): string {
  const directory = mkdtempSync(join(tmpdir(), 'kubelet-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const clientCAFile = join(directory, 'ca.crt');
  copyFileSync('local/world/tls/certificate.pem', clientCAFile);
  const file = join(directory, 'kubelet.yaml');
  const text = JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...configuration,
    authentication: { webhook: { enabled: true }, x509: { clientCAFile } },
    // This machine may have cgroup v1, which kubelets refuse from 1.35 on.
    failCgroupV1: false,
  });
  writeFileSync(file, text);
  return kubelet([
    `--config=${file}`,
    `--root-dir=${directory}/root`,
    `--cert-dir=${directory}/pki`,
    ...flags,
  ]);
}

const accepted = /no client provided, cannot use webhook authentication/;
/** A kubelet reads a configuration with unknown fields without them. */
const unknownField = /strict decoding (?:failed|error)/;

describe.skipIf(!kubernetes.isInstalled)(`the kubelet ${kubernetes.version}`, () => {
  it.each([
    ['script, flatcar and fedora-coreos', ofScript],
    ['kubeadm', ofKubeadm],
    ['eks-al2023', ofEks],
  ])('accepts every flag and every field of the user data of %s', async (_, of) => {
    const given = await of();
    expect(given.flags.length).toBeGreaterThan(1);
    const printed = startedWith(given);
    expect(printed).toMatch(accepted);
    expect(printed).not.toMatch(unknownField);
  });

  it('is asked so that an unknown flag or field would be noticed', () => {
    expect(startedWith({ flags: ['--nope=1'], configuration: {} })).toMatch(/unknown flag: --nope/);
    expect(startedWith({ flags: [], configuration: { nope: true } })).toMatch(unknownField);
  });

  it('has no flag that Drover calls removed for its version', () => {
    const help = kubelet(['--help']);
    const has = (name: string): boolean => new RegExp(`^ +(?:-\\w, )?--${name}[ =]`, 'm').test(help);
    const removed = Object.keys(removedFlags).filter((name) => isRemovedFlag(name, kubernetes.version));
    expect(removed.length).toBeGreaterThan(5);
    expect(removed.filter(has)).toEqual([]);
  });

  it('still has the flags that are removed later', () => {
    const help = kubelet(['--help']);
    const later = Object.keys(removedFlags).filter((name) => !isRemovedFlag(name, kubernetes.version));
    expect(later.filter((name) => !help.includes(`--${name} `))).toEqual([]);
  });
});
