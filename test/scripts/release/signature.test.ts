import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { releaseOptions } from '../../../scripts/release/options.ts';
import {
  readSigningKey,
  refuseUnnamedSource,
  SigningError,
  signatureOf,
} from '../../../scripts/release/signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-signature-'));
afterAll(() => rmSync(folder, { recursive: true }));

let serial = 0;

function keyFile(text: string, mode = 0o600): string {
  const file = join(folder, `key-${(serial += 1)}.pem`);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export(pkcs8).toString();
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** The commands of the docs that begin with openssl. */
const documented = readFileSync('docs/deployment.md', 'utf8')
  .split('\n')
  .filter((line) => /openssl /.test(line) && !line.startsWith('Drover') && /^[(o]/.test(line))
  .map((line) => line.replace(/ +# .*$/, ''));

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('a signing key', () => {
  test('is read from a file that only its owner can access', async () => {
    expect((await readSigningKey(keyFile(pem))).asymmetricKeyType).toBe('ed25519');
  });

  test.each([
    ['others can read', pem, 0o604, 'run `chmod 600'],
    ['the group can read', pem, 0o640, 'run `chmod 600'],
    ['others can write', pem, 0o602, 'run `chmod 600'],
    ['is of another kind', ec.export(pkcs8).toString(), 0o600, 'is ec, not Ed25519'],
    ['is in another form', ec.export({ type: 'sec1', format: 'pem' }).toString(), 0o600, 'PKCS #8'],
    ['is a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString(), 0o600, 'PKCS #8'],
    [
      'has a passphrase',
      privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'a' }).toString(),
      0o600,
      'has a passphrase',
    ],
    ['is cut', pem.replace(/.{20}\n-----END/, '\n-----END'), 0o600, 'can be parsed'],
    ['is empty', '', 0o600, 'openssl genpkey -algorithm ed25519'],
  ])('that %s is refused with the remedy and without its text', async (_, text, mode, remedy) => {
    const failure: unknown = await readSigningKey(keyFile(text, mode)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SigningError);
    expect((failure as SigningError).message).toContain(remedy);
    const said = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
    for (const line of text.split('\n').filter((one) => /^[\w+/=]{16,}$/.test(one)))
      expect(said).not.toContain(line);
  });

  test('that is missing, or a folder, is refused and not made', async () => {
    await expect(readSigningKey(join(folder, 'none.pem'))).rejects.toThrow('cannot be read: ENOENT');
    await expect(readSigningKey(folder)).rejects.toThrow('is not a file');
  });
});

test.skipIf(!hasOpenssl)(
  'the documented commands make a key that signs, and verify what it signed',
  async () => {
    const verify = documented.find((line) => line.includes('-verify')) ?? '';
    expect(documented).toHaveLength(3);
    const run = (command: string) =>
      execFileSync('sh', ['-euc', command], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    for (const command of documented.filter((line) => line !== verify)) run(command);
    writeFileSync(join(folder, 'SHA256SUMS'), 'ab  a\n');
    const key = await readSigningKey(join(folder, 'drover-release.pem'));
    writeFileSync(join(folder, 'SHA256SUMS.sig'), signatureOf(key, readFileSync(join(folder, 'SHA256SUMS'))));
    expect(run(verify)).toContain('Signature Verified Successfully');
    writeFileSync(join(folder, 'SHA256SUMS'), 'ac  a\n');
    expect(() => run(verify)).toThrow();
  },
);

describe('a signed release', () => {
  const at = { commit: 'e'.repeat(40), committedAt: '2026-03-01T10:00:00Z', hasChanges: false };

  test('is of a commit: without one, or with changes, it is refused', () => {
    expect(() => refuseUnnamedSource(at)).not.toThrow();
    expect(() => refuseUnnamedSource({ ...at, hasChanges: true })).toThrow('without changes');
    expect(() => refuseUnnamedSource(undefined)).toThrow('needs a git checkout');
  });

  test('is asked for by one flag with a file, and no other argument is accepted', () => {
    expect(releaseOptions(['--sign-key', 'a.pem'])).toEqual({ signKey: 'a.pem' });
    expect(releaseOptions([])).toEqual({ signKey: undefined });
    for (const args of [['--sign-key'], ['--sign-key='], ['--sign'], ['a.pem']])
      expect(() => releaseOptions(args), args.join(' ')).toThrow(TypeError);
  });
});
