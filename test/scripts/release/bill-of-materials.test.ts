import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleFunction } from '../../../scripts/build/bundle.ts';
import { packageFoldersIn } from '../../../scripts/build/package-folders.ts';
import { billOfMaterials } from '../../../scripts/release/bill-of-materials.ts';
import {
  bundledPackages,
  type Lock,
  parseLock,
  purlOf,
  refuseOtherVersions,
} from '../../../scripts/release/bundled-packages.ts';
import { cycloneDxProblems } from '../../support/cyclonedx.ts';

const lock = parseLock(readFileSync('package-lock.json', 'utf8'));

const locked = (version: string, more: object = {}): Lock[string] => ({
  version,
  license: 'MIT',
  integrity: `sha512-${Buffer.alloc(64, version).toString('base64')}`,
  ...more,
});

const materialsOf = (known: Lock, folders: readonly string[]) => {
  const packages = bundledPackages(known, folders);
  const artifact = { name: 'sweep', file: 'functions/sweep.zip', sha256: 'ab'.repeat(32) };
  return billOfMaterials({
    version: '1.2.0',
    artifacts: [{ ...artifact, packages: [...packages.keys()] }],
    packages,
    committedAt: '2026-11-27T21:04:41Z',
  });
};

interface Bill {
  readonly serialNumber: string;
  readonly components: readonly { readonly 'bom-ref': string; readonly hashes: readonly object[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('the bill of materials', () => {
  test('of a function is valid CycloneDX 1.6 and names what esbuild bundled, the YAML library beside it too', async () => {
    const { packageFolders } = await bundleFunction('functions/token-webhook.ts');
    const bill = materialsOf(lock, packageFolders) as Bill;
    expect(cycloneDxProblems(bill)).toEqual([]);
    const refs = bill.components.map((one) => one['bom-ref']);
    for (const name of ['zod', 'yaml', '@aws-sdk/client-ssm'])
      expect(refs).toContain(purlOf({ name, version: lock[`node_modules/${name}`]?.version ?? '' }));
    expect(refs.filter((ref) => /esbuild|vitest|listr2/.test(ref))).toEqual([]);
  });

  test('of a changed document is refused by the schema', () => {
    const bill = materialsOf(lock, ['node_modules/zod']);
    expect(cycloneDxProblems({ ...bill, madeBy: 'us' })).not.toEqual([]);
    expect(cycloneDxProblems({ ...bill, specVersion: 6 })).not.toEqual([]);
  });

  test('is the same for the same packages in any order, and has another serial number for others', () => {
    const paths = Object.keys(lock).filter(
      (path) => path.startsWith('node_modules/zod') || path.endsWith('/yaml'),
    );
    const bills = [paths, paths.toReversed()].map((folders) => materialsOf(lock, folders) as Bill);
    expect(bills[0]).toEqual(bills[1]);
    const other = materialsOf(lock, ['node_modules/yaml']) as Bill;
    expect(other.serialNumber).not.toBe(bills[0]?.serialNumber);
  });

  test('refers only to components that it lists, and lists none twice', () => {
    const paths = Object.keys(lock).filter((path) => lock[path]?.integrity && lock[path].license);
    fc.assert(
      fc.property(fc.subarray(paths, { maxLength: 40 }), (folders) => {
        const bill = materialsOf(lock, folders) as Bill;
        const refs = bill.components.map((one) => one['bom-ref']);
        expect(new Set(refs).size).toBe(refs.length);
        const known = new Set([...refs, 'drover@1.2.0']);
        for (const { ref, dependsOn } of bill.dependencies)
          for (const each of [ref, ...dependsOn]) expect(known.has(each), each).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('has the hash of the lock file in hexadecimal, and refuses SHA-1', () => {
    const [, zod] = (materialsOf({ 'node_modules/zod': locked('4.0.0') }, ['node_modules/zod']) as Bill)
      .components;
    expect(zod?.hashes).toEqual([{ alg: 'SHA-512', content: Buffer.alloc(64, '4.0.0').toString('hex') }]);
    const old = { 'node_modules/zod': locked('4.0.0', { integrity: 'sha1-AAAA' }) };
    expect(() => materialsOf(old, ['node_modules/zod'])).toThrow('is a sha1 hash');
  });
});

describe('the bundled packages', () => {
  const known: Lock = {
    'node_modules/a': locked('1.0.0', { dependencies: { b: '2', c: '1' }, peerDependencies: { d: '1' } }),
    'node_modules/a/node_modules/b': locked('2.0.0'),
    'node_modules/b': locked('1.0.0'),
    'node_modules/@scope/e/node_modules/b': locked('2.0.0'),
    'node_modules/c': locked('1.0.0'),
    'node_modules/d': locked('1.0.0'),
    'node_modules/alias': locked('1.0.0', { name: '@scope/real' }),
    'node_modules/bare': { version: '1.0.0' },
  };

  test('depend on the version that Node would load, if it is bundled, too', () => {
    const packages = bundledPackages(known, [
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/d',
    ]);
    expect(packages.get('pkg:npm/a@1.0.0')?.dependsOn).toEqual(['pkg:npm/b@2.0.0', 'pkg:npm/d@1.0.0']);
  });

  test('are listed once if npm installed one version in two places, and under the name behind an alias', () => {
    const twice = ['node_modules/a/node_modules/b', 'node_modules/@scope/e/node_modules/b'];
    expect([...bundledPackages(known, [...twice, 'node_modules/alias']).keys()]).toEqual([
      'pkg:npm/%40scope/real@1.0.0',
      'pkg:npm/b@2.0.0',
    ]);
  });

  test('are found behind a link of node_modules to another folder', () => {
    expect([...bundledPackages(known, ['../../elsewhere/node_modules/c']).keys()]).toEqual([
      'pkg:npm/c@1.0.0',
    ]);
  });

  test.each(['node_modules/bare', 'node_modules/missing'])(
    'are refused without a version, license or hash: %s',
    (path) => {
      expect(() => bundledPackages(known, [path])).toThrow(`no version, license and integrity of ${path}`);
    },
  );

  test('must be installed as the lock file names them', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'drover-bundled-'));
    onTestFinished(() => rm(parent, { recursive: true }));
    const folder = join(parent, 'node_modules', 'c');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"version":"1.0.0"}');
    await refuseOtherVersions(known, [folder]);
    await writeFile(join(folder, 'package.json'), '{"version":"1.0.1"}');
    await expect(refuseOtherVersions(known, [folder])).rejects.toThrow(
      'node_modules/c has version 1.0.1, and package-lock.json 1.0.0: run `npm ci --ignore-scripts`',
    );
  });
});

test('a package counts as bundled if bytes of it remain, under its innermost folder', () => {
  const inputs = {
    'node_modules/a/index.js': { bytesInOutput: 0 },
    'node_modules/b/node_modules/@c/d/x.js': { bytesInOutput: 1 },
    'shaken-clients:@aws-sdk/client-ec2': { bytesInOutput: 9 },
    'shared/base/clock.ts': { bytesInOutput: 5 },
  };
  expect(packageFoldersIn({ out: { inputs, bytes: 15, imports: [], exports: [] } })).toEqual([
    'node_modules/@aws-sdk/client-ec2',
    'node_modules/b/node_modules/@c/d',
  ]);
});
