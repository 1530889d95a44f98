import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  butane,
  cloudInit,
  ignition,
  kubeadm,
  nodeadm,
  program,
} from '@drover/cloud-sandbox/real/programs.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { bootScripts } from '../../../../cli/user-data/nodes/boot-scripts.ts';
import { butaneSource, ignitionOf } from '../../../../cli/user-data/nodes/flavours/ignition.ts';
import { besideFlags, foundingFlags, textOf, usualSettings } from './support.ts';

const nodeFlags = '--label example.com/team=web --taint dedicated=web:NoSchedule --max-pods 29';

function fileWith(text: string, name = 'user-data'): string {
  const directory = mkdtempSync(join(tmpdir(), 'user-data-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, name), text);
  return join(directory, name);
}

/** What a program prints if it does not accept its input. */
function complaint(command: string, args: readonly string[], environment = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

describe.skipIf(cloudInit.missing !== undefined)('the schema of cloud-init', () => {
  const python = join(cloudInit.directory, 'venv/bin/python');
  const environment = { PYTHONPATH: join(cloudInit.directory, 'usr/lib/python3/dist-packages') };
  const judged = (text: string): string =>
    complaint(python, ['-m', 'cloudinit.config.schema', '--config-file', fileWith(text)], environment);

  it.each([
    ['kubeadm', ''],
    ['kubeadm', foundingFlags],
    ['openshift-3.11', ''],
  ])('accepts %s %s', async (flavour, flags) => {
    expect(judged(await textOf(flavour, flags))).toBe('');
  });

  it('accepts the part of eks-al2023', async () => {
    const [, , part = ''] = (await textOf('eks-al2023')).split('--==DROVER==');
    expect(judged(part.slice(part.indexOf('#cloud-config')))).toBe('');
  });

  it('refuses what is none', () => {
    expect(judged('#cloud-config\nruncmd: 5\n')).toContain('runcmd');
  });
});

describe.skipIf(cloudInit.missing !== undefined)('shellcheck', () => {
  const shellcheck = join(cloudInit.directory, 'usr/bin/shellcheck');
  const judged = (script: string): string => complaint(shellcheck, [fileWith(script)]);

  it.each(['script', 'eks-al2'])(
    'has no complaint about %s and the scripts that it writes',
    async (flavour) => {
      const text = await textOf(flavour);
      const inner = [...text.matchAll(/<<'DROVER'\n(#!\/bin\/bash\n[\s\S]*?)^DROVER$/gm)].map(
        ([, one = '']) => one,
      );
      expect(inner.length).toBeGreaterThan(0);
      for (const script of [text, ...inner]) expect(judged(script)).toBe('');
    },
  );

  it.each([
    ['kubeadm', foundingFlags],
    ['openshift-3.11', '--registry-parameter /registry'],
  ])('has no complaint about the scripts of %s', async (flavour, flags) => {
    const { write_files: files }: { readonly write_files: readonly WrittenFile[] } = parse(
      await textOf(flavour, flags),
    );
    for (const { content } of files.filter((file) => file.path.includes('/sbin/')))
      expect(judged(content)).toBe('');
  });
});

/** kubeadm 1.37 no longer reads v1beta3; a node gets it together with its own kubeadm, of 1.30 or before. */
const rowsOfV1beta3: readonly [string, string][] =
  Number(kubeadm.version.split('.')[1]) < 37 ? [['a worker of v1beta3', '--kubernetes-version 1.30']] : [];

describe.skipIf(kubeadm.missing !== undefined)('kubeadm config validate', () => {
  it.each<[string, string]>([
    ['a worker', nodeFlags],
    ['a worker with a flag that a shell would read', '--kubelet-flag x=$(a)"b\'c'],
    ['a control plane that joins', '--role control-plane'],
    // kubeadm founds clusters of its own version and the one before only.
    ['the first control plane', `${foundingFlags} --kubernetes-version ${kubeadm.version}`],
    ...rowsOfV1beta3,
  ])('accepts the configuration of %s', async (_, flags) => {
    const { write_files: files }: { readonly write_files: readonly WrittenFile[] } = parse(
      await textOf('kubeadm', flags),
    );
    const template = files.find(({ path }) => path.endsWith('drover-kubeadm.yaml'))?.content ?? '';
    expect(judged(template)).toBe('');
  });

  it('accepts the configuration of a control plane of Flatcar', async () => {
    const { storage }: Ignition = JSON.parse(
      await textOf('flatcar', `${besideFlags} --kubernetes-version ${kubeadm.version}`),
    );
    const file = storage.files.find(({ path }) => path.endsWith('drover-kubeadm.yaml'));
    expect(judged(textIn(file?.contents ?? { source: '' }))).toBe('');
  });

  const judged = (template: string): string => {
    const text = template
      .replaceAll('@NODE_NAME@', 'ip-10-0-1-17.eu-west-1.compute.internal')
      .replaceAll('@ADDRESS@', '10.0.1.17')
      .replaceAll('@PROVIDER_ID@', 'aws:///eu-west-1a/i-0a1b2c3d4e5f60718')
      // It wants the file to be there.
      .replaceAll('/var/lib/drover-node/discovery.kubeconfig', fileWith('', 'discovery.kubeconfig'));
    return complaint(program(kubeadm, 'kubeadm'), ['config', 'validate', '--config', fileWith(text)]);
  };
});

describe.skipIf(nodeadm.missing !== undefined)('nodeadm', () => {
  it('accepts the NodeConfig of eks-al2023', async () => {
    const [, config = ''] = (await textOf('eks-al2023', `${nodeFlags} --kubelet-flag v=4`)).split(
      '--==DROVER==',
    );
    const source = `file://${fileWith(config.slice(config.indexOf('---')))}`;
    expect(complaint(program(nodeadm, 'nodeadm'), ['config', 'check', '-c', source])).toBe('');
  });
});

/** The names at https://bottlerocket.dev/en/os/1.50.x/api/settings/kubernetes/ that Drover sets. */
const publishedSettings = [
  'api-server',
  'authentication-mode',
  'cluster-certificate',
  'cluster-dns-ip',
  'cluster-name',
  'max-pods',
  'node-labels',
  'node-taints',
];

describe.skipIf(cloudInit.missing !== undefined)('a parser of TOML', () => {
  const code = 'import json, sys, tomllib; print(json.dumps(tomllib.load(sys.stdin.buffer)))';
  const read = (text: string) =>
    JSON.parse(
      execFileSync(join(cloudInit.directory, 'venv/bin/python'), ['-c', code], {
        input: text,
        encoding: 'utf8',
      }),
    );

  it('reads the settings of bottlerocket under their published names', async () => {
    const flags = `${nodeFlags} --label example.com/from=a.b_c --taint other=:NoExecute`;
    const { settings, ...rest } = read(await textOf('bottlerocket', flags));
    expect(rest).toEqual({});
    expect(settings.autoscaling).toEqual({ 'should-wait': true });
    expect(Object.keys(settings.kubernetes).toSorted()).toEqual(publishedSettings);
    expect(settings.kubernetes).toMatchObject({
      'max-pods': 29,
      'node-labels': { 'example.com/team': 'web', 'example.com/from': 'a.b_c' },
      'node-taints': { dedicated: ['web:NoSchedule'], other: [':NoExecute'] },
    });
  });
});

describe.skipIf(ignition.missing !== undefined)('ignition-validate', () => {
  it.each([
    ['flatcar', '--label a=b'],
    ['fedora-coreos', '--label a=b'],
    ['flatcar', besideFlags],
    ['fedora-coreos', besideFlags],
  ])('accepts %s %s', async (flavour, flags) => {
    const path = fileWith(await textOf(flavour, flags));
    expect(complaint(program(ignition, 'ignition-validate'), [path])).toBe('');
  });
});

describe.skipIf(butane.missing !== undefined)('butane', () => {
  it.each(['flatcar', 'fcos'] as const)('makes the same of the source of %s', async (variant) => {
    const source = butaneSource(usualSettings, await bootScripts(), variant);
    const made = execFileSync(program(butane, 'butane'), ['--strict'], {
      input: stringify(source),
      encoding: 'utf8',
    });
    const plain = (config: Ignition) => ({
      ...config,
      storage: { files: config.storage.files.map((file) => ({ ...file, contents: textIn(file.contents) })) },
    });
    expect(plain(JSON.parse(made))).toEqual(plain(ignitionOf(source)));
  });
});

interface Contents {
  readonly compression?: string;
  readonly source: string;
}

interface Ignition {
  readonly storage: { readonly files: readonly { readonly path: string; readonly contents: Contents }[] };
}

function textIn({ compression, source }: Contents): string {
  const [head = '', data = ''] = source.split(/,(.*)/s);
  const bytes = head.endsWith(';base64')
    ? Buffer.from(data, 'base64')
    : Buffer.from(decodeURIComponent(data));
  if (compression !== 'gzip') return bytes.toString('utf8');
  return execFileSync('gzip', ['-d'], { input: bytes, encoding: 'utf8' });
}
