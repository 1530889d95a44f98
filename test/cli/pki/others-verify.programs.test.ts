import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { domain, droverAt, temporaryFolder } from './support.ts';

const member = `i-0123456789abcdef0.${domain}`;

async function made(flags = ''): Promise<string> {
  const folder = join(temporaryFolder(), 'pki');
  // What others verify they verify by the clock of the machine.
  await droverAt(Date.now())(`pki --domain ${domain} --out ${folder}${flags}`);
  return folder;
}

const openssl = (...args: readonly string[]) => spawnSync('openssl', args, { encoding: 'utf8' });
const hasOpenssl = openssl('version').status === 0;

describe.skipIf(!hasOpenssl)(`OpenSSL${hasOpenssl ? '' : ' (skipped: it is not installed)'}`, () => {
  it.each(['', ' --key-type rsa-2048'])('verifies every chain and usage strictly%s', async (flags) => {
    const folder = await made(flags);
    const verify = (authority: string, path: string, ...more: string[]) =>
      openssl(
        'verify',
        '-x509_strict',
        '-CAfile',
        join(folder, `${authority}.crt`),
        ...more,
        join(folder, `${path}.crt`),
      ).stderr;
    const clients: readonly (readonly [string, string])[] = [
      ...['apiserver-kubelet-client', 'admin', 'controller-manager', 'scheduler'].map(
        (path) => ['ca', path] as const,
      ),
      ...[
        'etcd/server',
        'etcd/peer',
        'etcd/healthcheck-client',
        'apiserver-etcd-client',
        'etcd/drover-client',
      ].map((path) => ['etcd/ca', path] as const),
      ['front-proxy-ca', 'front-proxy-client'],
    ];
    for (const [authority, path] of clients)
      expect(verify(authority, path, '-purpose', 'sslclient')).toBe('');
    for (const path of ['etcd/server', 'etcd/peer'])
      for (const name of [domain, member])
        expect(verify('etcd/ca', path, '-purpose', 'sslserver', '-verify_hostname', name)).toBe('');
    expect(verify('ca', 'apiserver', '-purpose', 'sslserver', '-verify_ip', '10.96.0.1')).toBe('');
    expect(verify('ca', 'etcd/server')).toMatch(/unable to get local issuer/);
  });
});

describe('TLS between etcd and Drover', () => {
  it('succeeds with their certificates, and fails with certificates of another authority', async () => {
    const folder = await made();
    const file = (path: string) => readFileSync(join(folder, path));
    const pair = (path: string) => ({ cert: file(`${path}.crt`), key: file(`${path}.key`) });
    const ca = file('etcd/ca.crt');
    const server = tls.createServer({ ...pair('etcd/server'), ca, requestCert: true }, (socket) => {
      socket.on('error', () => undefined);
      socket.end(String(socket.getPeerCertificate().subject.CN));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const dial = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = tls.connect({ port, host: '127.0.0.1', servername: member, ca, ...pair(path) });
        let said = '';
        socket.on('data', (chunk) => void (said += String(chunk)));
        socket.on('error', reject);
        socket.on('close', () => resolve(said));
      });
    expect(await dial('etcd/drover-client')).toBe('drover');
    expect(await dial('admin').catch(() => 'refused')).not.toContain('kubernetes-admin');
  });
});
