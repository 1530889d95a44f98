import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesUnder } from '../../../scripts/release/checksums.ts';
import { cycloneDxProblems } from '../../support/cyclonedx.ts';
import { type ReleasingMachine, releaseOfACopy } from '../../support/release-of-a-copy.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const parent = mkdtempSync(join(tmpdir(), 'drover-whole-release-'));
afterAll(() => rmSync(parent, { recursive: true }));

const key = join(parent, 'key.pem');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const release = (name: string, machine: ReleasingMachine): string =>
  releaseOfACopy(join(parent, name), machine, ['--sign-key', key]);

const read = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8');

describe('a whole release', { timeout: 1_200_000 }, () => {
  let directory: string;
  let again: string;
  beforeAll(() => {
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    directory = release('one', { umask: '022', TZ: 'UTC', LC_ALL: 'C' });
    again = release('with spaces', { umask: '077', TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' });
  }, 1_200_000);

  test('is the same, byte by byte, in another folder with another umask, time zone and locale', async () => {
    const files = await filesUnder(directory);
    expect(await filesUnder(again)).toEqual(files);
    const differs = (file: string): boolean =>
      !readFileSync(join(again, file)).equals(readFileSync(join(directory, file)));
    expect(files.filter(differs)).toEqual([]);
  });

  test('lists each of its files but the list, and sha256sum agrees', async () => {
    const listed = read(directory, 'SHA256SUMS')
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(66));
    expect(listed).toEqual((await filesUnder(directory)).filter((file) => !file.startsWith('SHA256SUMS')));
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: directory });
  });

  test('has a signature of that list', () => {
    const [list, signature] = ['SHA256SUMS', 'SHA256SUMS.sig'].map((file) =>
      readFileSync(join(directory, file)),
    );
    expect(verify(null, list ?? Buffer.of(), publicKey, signature ?? Buffer.of())).toBe(true);
  });

  test('has a valid bill of materials that names all its code, and the license of each package', async () => {
    const bill = JSON.parse(read(directory, `drover-${version}.cdx.json`)) as {
      readonly components: readonly {
        readonly purl?: string;
        readonly properties?: readonly { readonly value: string }[];
      }[];
    };
    expect(cycloneDxProblems(bill)).toEqual([]);
    const code = (await filesUnder(directory)).filter((file) => /\.(?:zip|tgz)$/.test(file));
    const named = bill.components.flatMap(({ properties = [] }) => properties.map(({ value }) => value));
    expect(named.toSorted()).toEqual(code);
    const packages = bill.components.flatMap(({ purl }) => purl ?? []);
    expect(packages.length).toBeGreaterThan(60);
    const licenses = read(directory, 'THIRD-PARTY-LICENSES.txt');
    for (const purl of packages)
      expect(licenses).toContain(`${purl.replace('pkg:npm/', '').replace('%40', '@')} (`);
  });

  test('has a statement of its build about every other file, and of its commit', async () => {
    const statement = read(directory, `drover-${version}.provenance.json`);
    const { subject } = JSON.parse(statement) as {
      readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
    };
    const others = (await filesUnder(directory)).filter((file) => !/^SHA256SUMS|\.provenance\./.test(file));
    expect(subject.map(({ name }) => name)).toEqual(others);
    const sums = read(directory, 'SHA256SUMS');
    for (const { name, digest } of subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`);
    expect(statement).toMatch(/"gitCommit": "[0-9a-f]{40}"/);
    expect(statement).not.toContain('uncommittedChanges');
  });

  test('has each zip that its template names, and no other', async () => {
    const template = read(directory, `drover-${version}.template.json`);
    const named = [...template.matchAll(/\$\{ArtifactPrefix\}(functions\/[\w.-]+\.zip)/g)].map(
      ([, zip]) => zip,
    );
    const zips = (await filesUnder(directory)).filter((file) => file.endsWith('.zip'));
    expect(new Set(named)).toEqual(new Set(zips));
  });

  test('has all manifests of the cluster, the module with its version, the texts and the command', async () => {
    const manifests = globSync('deploy/*.yaml').map((file) => `kubernetes/${basename(file)}`);
    expect(await filesUnder(directory)).toEqual(
      expect.arrayContaining([
        ...manifests,
        ...['main', 'outputs', 'variables', 'version'].map((name) => `terraform/${name}.tf`),
        'README.md',
        'CHANGELOG.md',
        'LICENSE',
        `drover-${version}.tgz`,
      ]),
    );
    expect(read(directory, 'terraform/version.tf')).toContain(`version = "${version}"`);
    const packed = execFileSync('tar', ['tvzf', join(directory, `drover-${version}.tgz`)], {
      encoding: 'utf8',
    });
    expect(packed).toMatch(/^-rwxr-xr-x .* package\/dist\/cli\/drover\.cjs$/m);
  });

  test('links to no file that it does not contain', async () => {
    for (const file of (await filesUnder(directory)).filter((name) => name.endsWith('.md')))
      for (const [, target = ''] of read(directory, file).matchAll(/\]\((?!https?:)([^)]*)\)/g))
        expect(existsSync(join(directory, dirname(file), target)), `${target} of ${file}`).toBe(true);
  });
});
