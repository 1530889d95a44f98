import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCheckout } from '../../../scripts/release/checkout.ts';
import { provenance } from '../../../scripts/release/provenance.ts';

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'a'],
          [`GIT_${who}_EMAIL`, 'a@example.com'],
          [`GIT_${who}_DATE`, '2026-03-01T12:00:00+0200'],
        ]),
      ),
    },
  }).trim();

function createCheckout(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'drover-checkout-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a'), 'one');
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'a');
  return folder;
}

describe('a checkout', () => {
  test('has its commit, the time of it in UTC, and no changes', async () => {
    const folder = createCheckout();
    expect(await readCheckout(folder)).toEqual({
      commit: git(folder, 'rev-parse', 'HEAD'),
      committedAt: '2026-03-01T10:00:00Z',
      hasChanges: false,
    });
  });

  test.each(['a', 'b'])('has changes if the file %s differs or is new', async (file) => {
    const folder = createCheckout();
    writeFileSync(join(folder, file), 'two');
    expect(await readCheckout(folder)).toMatchObject({ hasChanges: true });
  });

  test('is none in a folder without git, and below the root of one that is not of the sources', async () => {
    const folder = createCheckout();
    const unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    expect(await readCheckout(unpacked)).toBeUndefined();
    rmSync(join(folder, '.git'), { recursive: true });
    expect(await readCheckout(folder)).toBeUndefined();
  });
});

describe('the statement of how a release was built', () => {
  const build = {
    version: '1.2.0',
    nodeVersion: 'v24.21.0',
    lockSha256: 'cd'.repeat(32),
    files: [{ file: 'functions/sweep.zip', sha256: 'ab'.repeat(32) }],
  };
  const commit = 'e'.repeat(40);
  const at = { commit, committedAt: '2026-03-01T10:00:00Z', hasChanges: false };

  test('names the files, the commit, the Node.js and the lock file, and no time', () => {
    const statement = provenance({ ...build, checkout: at });
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'functions/sweep.zip', digest: { sha256: 'ab'.repeat(32) } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          internalParameters: { node: 'v24.21.0' },
          resolvedDependencies: [
            { name: 'source', digest: { gitCommit: commit } },
            { name: 'package-lock.json', digest: { sha256: 'cd'.repeat(32) } },
          ],
        },
      },
    });
    expect(JSON.stringify(statement)).not.toMatch(/\d\d:\d\d:\d\d|uncommittedChanges/);
  });

  test('says so if the files differ from the commit', () => {
    expect(JSON.stringify(provenance({ ...build, checkout: { ...at, hasChanges: true } }))).toContain(
      '"annotations":{"uncommittedChanges":true}',
    );
  });

  test('names no source if there is no checkout', () => {
    expect(JSON.stringify(provenance({ ...build, checkout: undefined }))).not.toContain('"source"');
  });
});
