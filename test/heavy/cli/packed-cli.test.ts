import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { interrupt, type StartedSandbox, startSandbox } from '../../local/wire/support/started-sandbox.ts';
import { eventually } from '../../support/eventually.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** The machine's own Node, which may be older than the one that npm ci brings. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-cli-'));
  await install();
});
afterAll(() => rm(folder, { recursive: true }));

/** Packs a copy of the sources, because npm packs the manifest in the folder, and installs it in an empty folder. */
async function install(): Promise<void> {
  const source = join(folder, 'source');
  await mkdir(source);
  for (const part of ['cli', 'shared', 'scripts', 'deploy', 'ui', 'package.json', 'LICENSE', 'README.md'])
    await cp(join(root, part), join(source, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source });
  await mkdir(join(folder, 'empty'));
  // Offline: a package that is whole needs no registry.
  const args = ['install', '--global', '--offline', '--prefix', join(folder, 'prefix')];
  await run('npm', [...args, join(folder, 'drover-0.1.0.tgz')], { cwd: join(folder, 'empty') });
}

/** Runs the installed command in an empty folder, with the machine's Node. Rejects unless it exits with 0. */
const drover = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  run(join(folder, 'prefix/bin/drover'), args, {
    cwd: join(folder, 'empty'),
    env: { PATH: machinePath, HOME: folder, ...environment },
  });

describe('the packed CLI', () => {
  it('explains itself in an empty folder', async () => {
    expect((await drover(['--help'])).stdout).toMatch(/^Usage: drover/);
  });

  it('makes certificates and reads them back', async () => {
    await drover(['pki', '--domain', 'etcd.example.internal']);
    expect((await drover(['pki', 'inspect'])).stdout).toContain('pki/etcd/server.crt');
  });

  it('prints user data with the script that starts a member', async () => {
    const { stdout } = await drover([
      'user-data',
      'etcd',
      '--cluster',
      'prod',
      '--domain',
      'etcd.example.internal',
    ]);
    expect(stdout).toContain("readonly domain='etcd.example.internal'");
  });

  it('prints user data with every shell part of a node', async () => {
    const line = 'user-data kubeadm --cluster prod --kubernetes-version 1.34 --no-check';
    const { stdout } = await drover(line.split(' '));
    for (const words of ['find_lifecycle_state() {', 'fetch() {', 'kubeadm reset', 'leave_warm_pool'])
      expect(stdout).toContain(words);
  });
});

describe('the packed CLI beside a sandbox', () => {
  let sandbox: StartedSandbox;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    sandbox = await startSandbox('--no-story', '--speed', '5');
    const { ready } = sandbox;
    const api = await eventually(() => {
      const found = sandbox.events.find(({ event }) => event === 'scale-api');
      if (!found) throw new Error('the sandbox has not reported its scale API');
      return found;
    });
    environment = {
      AWS_ENDPOINT_URL: ready.endpoints.aws,
      AWS_REGION: ready.region,
      AWS_ACCESS_KEY_ID: ready.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ready.secretAccessKey,
      KUBECONFIG: ready.kubeconfig,
      DROVER_CLUSTER: 'drover',
      DROVER_API_URL: String(api.url),
    };
  });
  afterAll(() => interrupt(sandbox));

  it('drains a node', async () => {
    const node = await anyNode();
    const args = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout', '90s'];
    const { stdout } = await drover(args, environment);
    expect(stdout).toContain(`node ${node} is drained\n`);
  });

  it('sees the groups through Auto Scaling', async () => {
    expect((await drover(['hooks'], environment)).stdout).toContain('drover-workers');
  });

  /** By the scale API, with a signed request. */
  async function anyNode(): Promise<string> {
    const { stdout } = await drover(['groups', 'drover-workers', '--json'], environment);
    const { members } = z.parse(groupSchema, JSON.parse(stdout));
    return members[0]?.node.name ?? '';
  }
});

const groupSchema = z.object({
  members: z.array(z.object({ node: z.object({ name: z.string() }) })),
});
