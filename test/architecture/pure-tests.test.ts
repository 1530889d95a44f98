import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import pure from '../../scripts/gates/mutation/vitest.config.ts';
import { pureFiles } from '../../scripts/gates/pure-rooms.ts';
import { sourceFile } from './source-files.ts';

const exportsValue = /^export (?:const|function|class)/m;
const typeImports = /\b(?:import|export) type [^;]*;/g;

/** The files that these files load, themselves included. */
function loadedBy(paths: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(paths);
  for (const path of loaded) {
    const code = readFileSync(path, 'utf8').replaceAll(typeImports, '');
    for (const target of sourceFile(path, code).imports)
      if (/^[\w/.-]+\.ts$/.test(target)) loaded.add(target);
  }
  return loaded;
}

const { include = [], exclude = [] } = pure.test ?? {};
const loaded = loadedBy(globSync(include, { exclude }));

it('the tests of the pure rooms load every pure file: mutation testing runs no others (scripts/gates/mutation)', () => {
  const decides = (file: string) => exportsValue.test(readFileSync(file, 'utf8'));
  expect(pureFiles().filter((file) => decides(file) && !loaded.has(file))).toEqual([]);
});

it('a test loads what it imports, also through others, and no file of types', () => {
  const ofRouter = loadedBy(['test/shared/scale-api/router.test.ts']);
  expect(ofRouter).toContain('shared/scale-api/problem.ts');
  expect(ofRouter).not.toContain('shared/scale-api/scale-context.ts');
});
