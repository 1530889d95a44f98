import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clients, kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const home = mkdtempSync(join(tmpdir(), 'exec-plugins-'));
const webIdentityToken = 'header.payload.signature';
const missing = [kubernetes, clients].flatMap((one) => one.missing ?? []);

let server: Server;
const bearers: string[] = [];

beforeAll(async () => {
  // STS of another region cannot be asked here: the program prints what its API would.
  writeFileSync(join(home, 'aws'), `#!/bin/sh\necho ${webIdentityToken}\n`);
  chmodSync(join(home, 'aws'), 0o755);
  const [cert, key] = ['certificate', 'key'].map((name) =>
    readFileSync(join(root, `local/world/tls/${name}.pem`)),
  );
  // Without TLS kubectl asks no plugin.
  server = createServer({ cert, key }, ({ headers }, response) => {
    bearers.push(headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder of its `aws`. */
  readonly path?: string;
  readonly token: RegExp;
}

const presigned = /^Bearer k8s-aws-v1\.[\w-]+$/;
const plugins: Readonly<Record<string, Plugin>> = {
  'drover token get': {
    command: process.execPath,
    args: [join(root, 'cli/drover.ts'), 'token', 'get', '--cluster', 'prod', '--no-cache'],
    token: presigned,
  },
  'examples/drover-iam-token': {
    command: join(root, 'examples/drover-iam-token'),
    args: ['prod'],
    path: clients.missing === undefined ? dirname(program(clients, 'aws')) : home,
    token: presigned,
  },
  'examples/drover-web-identity': {
    command: join(root, 'examples/drover-web-identity'),
    args: ['prod'],
    path: home,
    token: new RegExp(`^Bearer ${webIdentityToken}$`),
  },
};

const rows = Object.keys(plugins).flatMap((name) => [
  [name, 'v1'],
  [name, 'v1beta1'],
]);

describe.skipIf(missing.length > 0)(`kubectl ${kubernetes.version}`, () => {
  it.each(rows)('takes the token of %s for the version %s of ExecCredential', async (name, version) => {
    const { command, args, path = home, token } = plugins[name] ?? expect.fail(name);
    const { port } = server.address() as AddressInfo;
    const exec = {
      apiVersion: `client.authentication.k8s.io/${version}`,
      command,
      args,
      interactiveMode: 'Never',
    };
    const kubeconfig = join(home, `${version}.json`);
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'u', user: { exec } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    });
    writeFileSync(kubeconfig, text);
    bearers.length = 0;
    const ended = await runClient({
      command: program(kubernetes, 'kubectl'),
      options: [`--kubeconfig=${kubeconfig}`, 'get', '--raw', '/version'],
      environment: {
        HOME: home,
        PATH: `${path}:${process.env['PATH']}`,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'not-a-secret',
      },
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(bearers).toEqual([expect.stringMatching(token)]);
  });
});
