import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesUnder } from '../../../scripts/release/checksums.ts';
import { type ReleasingMachine, releaseOfACopy } from '../../support/release-of-a-copy.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const parent = mkdtempSync(join(tmpdir(), 'drover-whole-release-'));
afterAll(() => rmSync(parent, { recursive: true }));

const release = (name: string, machine: ReleasingMachine): string =>
  releaseOfACopy(join(parent, name), machine);

const read = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8');

describe('a whole release', { timeout: 1_200_000 }, () => {
  let directory: string;
  let again: string;
  beforeAll(() => {
    directory = release('one', { umask: '022', TZ: 'UTC', LC_ALL: 'C' });
    again = release('with spaces', { umask: '077', TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' });
  }, 1_200_000);

  test('is the same, byte by byte, in another folder with another umask, time zone and locale', async () => {
    const files = await filesUnder(directory);
    expect(await filesUnder(again)).toEqual(files);
    for (const file of files)
      expect(readFileSync(join(again, file)).equals(readFileSync(join(directory, file))), file).toBe(true);
  });

  test('lists each of its files but the list, and sha256sum agrees', async () => {
    const listed = read(directory, 'SHA256SUMS')
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(66));
    expect(listed).toEqual((await filesUnder(directory)).filter((file) => file !== 'SHA256SUMS'));
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: directory });
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
      expect(read(directory, file), file).not.toMatch(/\]\((?!https?:)/);
  });
});
