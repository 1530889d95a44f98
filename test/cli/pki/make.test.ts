import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day, domain, drover, droverAt, start, temporaryFolder } from './support.ts';

const listOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
const contentsOf = (folder: string) =>
  new Map(listOf(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const));
const certificateAt = (folder: string, path: string) =>
  new X509Certificate(readFileSync(join(folder, `${path}.crt`)));

async function made(flags = ''): Promise<string> {
  const folder = join(temporaryFolder(), 'pki');
  const { exitCode, stderr } = await drover(`pki --domain ${domain} --out ${folder}${flags}`);
  expect([exitCode, stderr]).toEqual([0, '']);
  return folder;
}

/** Made once, for tests that only read. */
let usual = '';
beforeAll(async () => {
  usual = join(mkdtempSync(join(tmpdir(), 'drover-pki-')), 'pki');
  await drover(`pki --domain ${domain} --out ${usual}`);
});
afterAll(() => rmSync(dirname(usual), { recursive: true, force: true }));

describe('drover pki', () => {
  it('writes the files of kubeadm, and Drover’s client certificate', () => {
    expect(listOf(usual)).toEqual(
      'admin apiserver apiserver-etcd-client apiserver-kubelet-client ca controller-manager etcd/ca etcd/drover-client etcd/healthcheck-client etcd/peer etcd/server front-proxy-ca front-proxy-client scheduler super-admin'
        .split(' ')
        .flatMap((path) => [`${path}.crt`, `${path}.key`])
        .concat('sa.key', 'sa.pub')
        .toSorted(),
    );
  });

  it('writes keys and folders that only their owner can read', () => {
    const modeOf = (path: string) => statSync(join(usual, path)).mode & 0o777;
    for (const path of listOf(usual)) expect(modeOf(path)).toBe(path.endsWith('.key') ? 0o600 : 0o644);
    expect([modeOf(''), modeOf('etcd')]).toEqual([0o700, 0o700]);
  });

  it.each(['etcd/server', 'etcd/peer'])(
    'issues %s for the domain and every member, as server and client',
    (path) => {
      const certificate = certificateAt(usual, path);
      const names = [domain, `i-0123456789abcdef0.${domain}`, 'localhost'];
      for (const name of names) expect(certificate.checkHost(name)).toBeDefined();
      for (const address of ['127.0.0.1', '::1']) expect(certificate.checkIP(address)).toBeDefined();
      expect(certificate.checkHost('other.example.internal')).toBeUndefined();
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    },
  );

  it.each([
    ['admin', 'O=kubeadm:cluster-admins\nCN=kubernetes-admin', 'CN=kubernetes'],
    ['super-admin', 'O=system:masters\nCN=kubernetes-super-admin', 'CN=kubernetes'],
    ['controller-manager', 'CN=system:kube-controller-manager', 'CN=kubernetes'],
    ['scheduler', 'CN=system:kube-scheduler', 'CN=kubernetes'],
    ['front-proxy-client', 'CN=front-proxy-client', 'CN=front-proxy-ca'],
    ['apiserver-etcd-client', 'CN=kube-apiserver-etcd-client', 'CN=etcd-ca'],
    ['etcd/drover-client', 'CN=drover', 'CN=etcd-ca'],
  ])('issues %s with the name of its client and no host name', (path, subject, issuer) => {
    const certificate = certificateAt(usual, path);
    expect([certificate.subject, certificate.issuer]).toEqual([subject, issuer]);
    expect([certificate.keyUsage, certificate.subjectAltName]).toEqual([['1.3.6.1.5.5.7.3.2'], undefined]);
  });

  it('adds the given names to the API server’s default names', async () => {
    const certificate = certificateAt(await made(' --names api.example.com,10.0.0.1'), 'apiserver');
    for (const name of ['api.example.com', 'kubernetes.default.svc'])
      expect(certificate.checkHost(name)).toBeDefined();
    for (const address of ['10.0.0.1', '10.96.0.1']) expect(certificate.checkIP(address)).toBeDefined();
  });

  it('issues each kind of certificate with its own lifetime', async () => {
    const folder = await made(' --days 90 --ca-days 400 --client-days 7');
    const lifeOf = (path: string) => (Date.parse(certificateAt(folder, path).validTo) - start) / day;
    expect(['ca', 'etcd/server', 'etcd/drover-client'].map(lifeOf)).toEqual([400, 90, 7]);
  });

  it('issues no certificate that outlives its authority', async () => {
    const folder = await made(' --days 365 --ca-days 30');
    expect(certificateAt(folder, 'scheduler').validTo).toBe(certificateAt(folder, 'ca').validTo);
  });

  it.each([
    ['ecdsa-p256', 'ec', undefined],
    ['rsa-2048', 'rsa', 2048],
  ])('generates keys of type %s', async (type, kind, bits) => {
    const { publicKey } = certificateAt(await made(` --key-type ${type}`), 'etcd/peer');
    expect([publicKey.asymmetricKeyType, publicKey.asymmetricKeyDetails?.modulusLength]).toEqual([
      kind,
      bits,
    ]);
  });

  it('lists the files with --dry-run, and writes nothing', async () => {
    const folder = join(temporaryFolder(), 'pki');
    const { stdout } = await drover(`pki --domain ${domain} --out ${folder} --dry-run`);
    expect(stdout).toMatch(/etcd\/server\.crt +etcd-server +etcd\.example\.internal,.* +365\n/);
    expect(stdout).toContain(`would be written to ${folder}`);
    expect(existsSync(folder)).toBe(false);
  });

  it('overwrites no file, and writes nothing if one file exists', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'etcd'));
    writeFileSync(join(folder, 'etcd/ca.crt'), 'mine');
    const { exitCode, stderr } = await drover(`pki --domain ${domain} --out ${folder}`);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('etcd/ca.crt would be overwritten')]);
    expect(listOf(folder)).toEqual(['etcd/ca.crt']);
  });

  it('leaves no files behind if it cannot write one', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'etcd'), 'a file where a folder must be');
    const { exitCode } = await drover(`pki --domain ${domain} --out ${folder}`);
    expect([exitCode, listOf(folder)]).toEqual([1, ['etcd']]);
  });

  it.each([
    ['', /--domain is missing/],
    ['--domain internal', /DNS domain/],
    ['--domain 10.0.0.1', /DNS domain/],
    ['--domain -a.example', /DNS domain/],
    ['--domain a.example --names a_b', /host names and addresses/],
    ['--domain a.example --days 0', /days/],
    ['--domain a.example --key-type dsa', /ecdsa-p256/],
    ['--domain a.example --only scheduler', /--renew/],
  ])('refuses the command line %j', async (flags, message) => {
    const { exitCode, stderr } = await drover(`pki --out ${temporaryFolder()} ${flags}`.trim());
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('drover pki --renew', () => {
  const later = droverAt(start + 300 * day);

  it('keeps the authorities and the service account key, and reissues the other certificates with their names', async () => {
    const folder = await made(' --names api.example.com');
    const before = contentsOf(folder);
    expect(await later(`pki --renew --out ${folder}`)).toMatchObject({ exitCode: 0, stderr: '' });
    const after = contentsOf(folder);
    const kept = [...after.keys()].filter((path) => after.get(path) === before.get(path));
    expect(kept).toEqual([
      'ca.crt',
      'ca.key',
      'etcd/ca.crt',
      'etcd/ca.key',
      'front-proxy-ca.crt',
      'front-proxy-ca.key',
      'sa.key',
      'sa.pub',
    ]);
    expect(certificateAt(folder, 'etcd/server').checkHost(`i-01234567.${domain}`)).toBeDefined();
    expect(certificateAt(folder, 'apiserver').checkHost('api.example.com')).toBeDefined();
    expect(Date.parse(certificateAt(folder, 'apiserver').validTo)).toBe(start + 665 * day);
  });

  it('reissues only the certificates that --only names', async () => {
    const folder = await made();
    const before = contentsOf(folder);
    await later(`pki --renew --only etcd/drover-client --out ${folder}`);
    const after = contentsOf(folder);
    expect([...after.keys()].filter((path) => after.get(path) !== before.get(path))).toEqual([
      'etcd/drover-client.crt',
      'etcd/drover-client.key',
    ]);
  });

  it('signs with an authority of OpenSSL or kubeadm', async () => {
    const folder = await made(' --key-type rsa-2048');
    const path = join(folder, 'etcd/ca.key');
    const key = createPrivateKey(readFileSync(path));
    writeFileSync(path, key.export({ type: 'pkcs1', format: 'pem' }));
    expect(await later(`pki --renew --only etcd/peer --out ${folder}`)).toMatchObject({ exitCode: 0 });
    expect(certificateAt(folder, 'etcd/peer').verify(certificateAt(folder, 'etcd/ca').publicKey)).toBe(true);
  });

  it.each([
    ['its key is missing', (folder: string) => drop(folder, 'etcd/ca.key'), /etcd\/ca\.key not found/],
    [
      'its key belongs to another authority',
      (folder: string) => copy(folder, 'ca.key', 'etcd/ca.key'),
      /etcd\/ca cannot sign: its key is not/,
    ],
    [
      'its key is not a key',
      (folder: string) => writeFileSync(join(folder, 'etcd/ca.key'), 'hunter2'),
      /not a certificate and a private key/,
    ],
    [
      'it is not an authority',
      (folder: string) => copy(folder, 'etcd/peer.crt', 'etcd/ca.crt'),
      /etcd\/ca cannot sign: .*not that of an authority/,
    ],
  ])('refuses an authority when %s, with --dry-run too, and writes nothing', async (_, spoil, message) => {
    const folder = await made();
    spoil(folder);
    const before = contentsOf(folder);
    for (const flag of ['', ' --dry-run']) {
      const { exitCode, stderr } = await later(`pki --renew --out ${folder}${flag}`);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).not.toContain('hunter2');
    }
    expect(contentsOf(folder)).toEqual(before);
  });

  it('refuses an authority that has expired', async () => {
    const folder = await made(' --ca-days 200');
    expect(await later(`pki --renew --out ${folder}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/cannot sign: it expired on 2027-06-09/),
    });
  });

  it('refuses --only with an authority', async () => {
    const folder = await made();
    expect(await later(`pki --renew --only etcd/ca --out ${folder}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no certificate etcd/ca'),
    });
  });
});

const drop = (folder: string, path: string): void => rmSync(join(folder, path));
const copy = (folder: string, from: string, to: string): void =>
  writeFileSync(join(folder, to), readFileSync(join(folder, from)));
