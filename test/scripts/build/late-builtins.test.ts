import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { importedNames, lateBuiltinsPlugin } from '../../../scripts/build/late-builtins.ts';

test.each([
  ['import { readFile, stat as look } from "node:fs";', ['readFile', 'stat']],
  ["import { readFile } from 'node:fs';\nimport { stat } from 'node:fs';", ['readFile', 'stat']],
  ['import * as fs from "node:fs";', undefined],
  ['import fs, { readFile } from "node:fs";', undefined],
  ['import { readFile } from "node:fs/promises";', undefined],
])('the names that %s imports are %j', (source, names) => {
  expect(importedNames(source, 'node:fs')).toEqual(names);
});

/** What a bundle of a package with this source exports, and the builtins that it has loaded by then. */
async function bundled(source: string) {
  const folder = await mkdtemp(join(tmpdir(), 'late-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'node_modules', 'thing'), { recursive: true });
  await writeFile(join(folder, 'node_modules', 'thing', 'index.js'), source);
  const { outputFiles } = await build({
    stdin: { contents: "export { use } from 'thing';", resolveDir: folder },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    plugins: [lateBuiltinsPlugin],
  });
  const loaded: string[] = [];
  const module = { exports: {} as { readonly use: () => unknown } };
  const load = (name: string): object => {
    loaded.push(name);
    return { platform: () => 'a platform' };
  };
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'require'])(module, load);
  return { use: module.exports.use, loaded };
}

test('a builtin is loaded when a name of it is first used', async () => {
  const { use, loaded } = await bundled(
    'import { platform } from "node:os";\nexport const use = () => platform();',
  );
  expect(loaded).toEqual([]);
  expect(use()).toBe('a platform');
  expect(loaded).toEqual(['node:os']);
});

test('a builtin that is imported as a whole is loaded at once', async () => {
  const { loaded } = await bundled('import * as os from "node:os";\nexport const use = () => os.platform();');
  expect(loaded).toEqual(['node:os']);
});
