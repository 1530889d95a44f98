import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, it } from 'vitest';
import tests from '../../vitest.config.ts';
import heavy from '../../vitest.heavy.config.ts';
import real from '../../vitest.real.config.ts';

const files = globSync('{test,packages/*/test}/**/*.test.ts', { exclude: ['**/node_modules/**'] });

interface Config {
  readonly test?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
}

/** The files that vitest runs by a configuration and the arguments of its command: parts of paths, and `--exclude GLOB`. */
function filesOf({ test: { include = [], exclude = [] } = {} }: Config, words: readonly string[]) {
  const isGlob = (index: number) => words[index - 1] === '--exclude';
  const parts = words.filter((word, index) => word !== '--exclude' && !isGlob(index));
  const excluded = [...exclude, ...words.filter((_, index) => isGlob(index))];
  const matches = (file: string, globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob));
  return files
    .filter((file) => matches(file, include) && !matches(file, excluded))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
}

const configs: Readonly<Record<string, Config>> = {
  cit: tests,
  'run test:heavy': heavy,
  'run test:real': real,
};

/** The suites of a script, each with the files that it runs. */
const lanesOf = (script: string): readonly (readonly string[])[] =>
  [...script.matchAll(/\bnpm (cit|run test:heavy|run test:real)\b(?: -- ([^>\n]*))?/g)].map(
    ([, command = '', words = '']) =>
      filesOf(configs[command] ?? {}, words.replaceAll("'", '').split(/\s+/).filter(Boolean)),
  );

/** The files that no lane runs, or several. */
function misplaced(script: string): readonly string[] {
  const times = Map.groupBy(lanesOf(script).flat(), (file) => file);
  const counted = files.map((file) => ({ file, count: times.get(file)?.length ?? 0 }));
  return counted.filter(({ count }) => count !== 1).map(({ file, count }) => `${file}: ${count} lanes`);
}

const commands = readFileSync('.ci/run', 'utf8').replaceAll(/^\s*#.*$/gm, '');

it('each test file is run by exactly one suite of .ci/run', () => {
  expect(lanesOf(commands)).toHaveLength(6);
  expect(misplaced(commands)).toEqual([]);
});

it('a file that every suite leaves out is found, and one that two suites run', () => {
  const withoutCli = commands.replace('suite cli npm run test:heavy -- test/heavy/cli/', '');
  expect(misplaced(withoutCli)).toEqual(['test/heavy/cli/packed-cli.test.ts: 0 lanes']);
  const twice = commands.replace("--exclude 'test/heavy/cli/**'", '');
  expect(misplaced(twice)).toEqual(['test/heavy/cli/packed-cli.test.ts: 2 lanes']);
});
