import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPackage } from '../scripts/build/build-package.ts';

/** Some seconds of work; a machine that is busy with other tests takes much longer. */
const patienceMilliseconds = 120_000;
const within = { timeout: patienceMilliseconds };
const name = '@drover/cloud-sandbox';
const folder = mkdtempSync(join(tmpdir(), 'cloud-sandbox-package-'));
const installed = join(folder, 'node_modules', name);
const run = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: patienceMilliseconds,
  });

/** Packs the package and unpacks it into an empty folder, beside the dependencies that its manifest names and no others. */
beforeAll(() => {
  const built = join(folder, 'dist');
  buildPackage(built);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: built });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, 'drover-cloud-sandbox-0.1.0.tgz'), '--strip-components=1'], {
    cwd: installed,
  });
  for (const dependency of Object.keys(manifest().dependencies)) link(dependency);
}, patienceMilliseconds);
afterAll(() => rmSync(folder, { recursive: true }));

function manifest() {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly engines: Readonly<Record<string, string>>;
    readonly exports: Readonly<Record<string, string>>;
  };
}

function link(dependency: string): void {
  const place = createRequire(import.meta.url)
    .resolve.paths(dependency)
    ?.map((path) => join(path, dependency))
    .find((path) => isThere(path));
  const target = join(folder, 'node_modules', dependency);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(place ?? '', target);
}

const isThere = (path: string): boolean => {
  try {
    return readFileSync(join(path, 'package.json')).length > 0;
  } catch {
    return false;
  }
};

test('the packed package can be published, and runs on Node 20', () => {
  expect(manifest()).not.toHaveProperty('private');
  expect(manifest().engines).toEqual({ node: '>=20.11' });
});

test('the example of the README runs on the packed package in an empty folder', within, () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(example).toContain('createSandbox');
  expect(run(`${example}\nconsole.log('done');`)).toBe('done\n');
});

test(
  'every module of the packed package can be imported, and one opens a sandbox on the wire',
  within,
  () => {
    const modules = Object.keys(manifest().exports).map((path) => path.replace('.', name));
    const imports = modules.map((module) => `await import('${module}');`).join('\n');
    const code = `${imports}
    const { openSandbox } = await import('${name}/wire');
    const sandbox = await openSandbox({ onFault: console.error });
    const { status } = await fetch(sandbox.doors.aws.url);
    await sandbox.close();
    console.log(status);`;
    expect(Number(run(code))).toBeGreaterThanOrEqual(400);
  },
);

test('a compiler finds the types of the packed package', within, () => {
  writeFileSync(
    join(folder, 'user.ts'),
    `import { createSandbox } from '${name}';\nexport const now: number = createSandbox().clock.now();\n`,
  );
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(
    process.execPath,
    [
      join(dirname(compiler), 'bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
      'user.ts',
    ],
    { cwd: folder, stdio: 'pipe', timeout: patienceMilliseconds },
  );
});
