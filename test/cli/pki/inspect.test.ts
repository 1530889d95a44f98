import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { day, domain, drover, droverAt, start, temporaryFolder } from './support.ts';

async function made(): Promise<string> {
  const folder = join(temporaryFolder(), 'pki');
  await drover(`pki --domain ${domain} --out ${folder}`);
  return folder;
}

interface Json {
  readonly certificates: readonly { readonly path: string; readonly chain: string; readonly key: string }[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

describe('drover pki inspect', () => {
  it('finds no problem in the files of drover pki', async () => {
    const folder = await made();
    const { exitCode, stdout, stderr } = await drover(`pki inspect ${folder}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /etcd\/server\.crt +CN=etcd-server +CN=etcd-ca +server,client +365 +valid +matches +etcd\.example\.internal,\*\.etcd\.example\.internal,localhost,127\.0\.0\.1,::1\n/,
    );
    expect(stdout).toMatch(
      /\/ca\.crt +CN=kubernetes +CN=kubernetes +authority +3650 +self-signed +matches\n/,
    );
  });

  it('inspects one certificate with the key and the authority beside it', async () => {
    const folder = await made();
    const { exitCode, stdout } = await drover(`pki inspect ${folder}/etcd/peer.crt --json`);
    expect(exitCode).toBe(0);
    expect((JSON.parse(stdout) as Json).certificates[0]).toEqual({
      path: `${folder}/etcd/peer.crt`,
      subject: 'CN=etcd-peer',
      issuer: 'CN=etcd-ca',
      isAuthority: false,
      names: [domain, `*.${domain}`, 'localhost', '127.0.0.1', '::1'],
      usages: ['server', 'client'],
      notBefore: new Date(start - 300_000).toISOString(),
      notAfter: new Date(start + 365 * day).toISOString(),
      daysLeft: 365,
      chain: 'valid',
      key: 'matches',
    });
  });

  it('reports a missing issuer as not seen, without a problem', async () => {
    const folder = await made();
    const { exitCode, stdout } = await drover(`pki inspect ${folder}/apiserver-etcd-client.crt`);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/not-seen +matches/)]);
  });

  const sees = async (folder: string, { at = start, flags = '' } = {}) => {
    const { exitCode, stdout } = await droverAt(at)(`pki inspect ${folder} --json${flags}`);
    const { problems } = JSON.parse(stdout) as Json;
    return {
      exitCode,
      problems: problems.map(({ path, message }) => `${path.slice(folder.length + 1)}: ${message}`),
    };
  };

  it('fails if a certificate has expired', async () => {
    const folder = await made();
    expect(await sees(folder, { at: start + 31 * day })).toEqual({
      exitCode: 1,
      problems: ['etcd/drover-client.crt: it expired on 2026-12-21T00:00:00.000Z'],
    });
  });

  it('refuses --within without a unit: fourteen seconds would find nothing', async () => {
    expect(await drover('pki inspect --within 14')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('write the unit too'),
    });
  });

  it('fails with --within if a certificate is about to expire', async () => {
    const folder = await made();
    expect(await sees(folder, { at: start + 20 * day, flags: ' --within 14d' })).toEqual({
      exitCode: 1,
      problems: ['etcd/drover-client.crt: it expires on 2026-12-21T00:00:00.000Z'],
    });
  });

  it('fails if a certificate is not valid yet', async () => {
    const folder = await made();
    const { exitCode, problems } = await sees(folder, { at: start - day });
    expect([exitCode, problems[0]]).toEqual([1, expect.stringContaining('not yet')]);
  });

  it('reports a certificate whose authority was replaced by another of the same name', async () => {
    const folder = await made();
    const other = await made();
    for (const end of ['crt', 'key'])
      copyFileSync(join(other, `etcd/ca.${end}`), join(folder, `etcd/ca.${end}`));
    const { exitCode, problems } = await sees(folder);
    expect([exitCode, problems]).toEqual([
      1,
      expect.arrayContaining(['etcd/server.crt: CN=etcd-ca did not sign it, or ends before it']),
    ]);
  });

  it('reports a key that belongs to another certificate', async () => {
    const folder = await made();
    copyFileSync(join(folder, 'admin.key'), join(folder, 'scheduler.key'));
    expect(await sees(folder)).toEqual({
      exitCode: 1,
      problems: ['scheduler.crt: the key beside it belongs to another certificate'],
    });
  });

  it('reports a private key that other users can read', async () => {
    const folder = await made();
    chmodSync(join(folder, 'ca.key'), 0o640);
    expect((await sees(folder)).problems).toEqual([
      'ca.key: other users can read this private key: chmod 600',
    ]);
  });

  it('prints no content of a file that it cannot parse', async () => {
    const folder = await made();
    const key = readFileSync(join(folder, 'admin.key'), 'utf8');
    writeFileSync(join(folder, 'admin.key'), key.slice(0, -60));
    writeFileSync(join(folder, 'admin.crt'), 'hunter2');
    const { exitCode, stdout, stderr } = await drover(`pki inspect ${folder}`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('admin.key: it is not valid PEM');
    expect(stdout).toContain('admin.crt: it holds neither a certificate nor a private key in PEM');
    for (const secret of ['hunter2', key.split('\n')[1] ?? '']) expect(stdout + stderr).not.toContain(secret);
  });

  it('names what is not there, and what to name in its place', async () => {
    const folder = temporaryFolder();
    expect(await drover(`pki inspect ${folder}/none`)).toMatchObject({
      exitCode: 1,
      stderr: `drover: there is no ${folder}/none: name the folder that drover pki has made, or files of it\n`,
    });
  });

  it.each(['', '/none'])('fails without certificates to inspect: %j', async (path) => {
    expect(await drover(`pki inspect ${temporaryFolder()}${path}`)).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
  });
});
