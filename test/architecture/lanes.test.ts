import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { findingsDirectory } from '@drover/cloud-sandbox/truth/reporter.ts';
import { expect, it } from 'vitest';
import { projects } from '../../vitest.config.ts';

const files = globSync('{test,packages/*/test}/**/*.test.ts', { exclude: ['**/node_modules/**'] });

interface Globs {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

/** The files that a project runs with the arguments of its command: parts of paths, and `--exclude GLOB`. */
function filesOf({ include, exclude = [] }: Globs, words: readonly string[] = []) {
  const isGlob = (index: number) => words[index - 1] === '--exclude';
  const parts = words.filter((word, index) => word !== '--exclude' && !isGlob(index));
  const excluded = [...exclude, ...words.filter((_, index) => isGlob(index))];
  const matches = (file: string, globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob));
  return files
    .filter((file) => matches(file, include) && !matches(file, excluded))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
}

/** By the command of npm that runs the project. */
const commandOf: Readonly<Record<string, Globs>> = Object.fromEntries(
  projects.map(({ test }) => [test.name === 'fast' ? 'test' : `run test:${test.name}`, test]),
);

/** The suites of a script, each with the files that it runs. */
const lanesOf = (script: string): readonly (readonly string[])[] =>
  [...script.matchAll(/\bnpm (test\b|run test:\w+)\b(?: -- ([^>\n]*))?/g)].map(
    ([, command = '', words = '']) => {
      const project = commandOf[command];
      if (project === undefined) throw new Error(`no project of vitest.config.ts is run by npm ${command}`);
      return filesOf(project, words.replaceAll("'", '').split(/\s+/).filter(Boolean));
    },
  );

/** The files that are in none of these lists, or in several. */
function misplaced(lists: readonly (readonly string[])[]): readonly string[] {
  const times = Map.groupBy(lists.flat(), (file) => file);
  const counted = files.map((file) => ({ file, count: times.get(file)?.length ?? 0 }));
  return counted.filter(({ count }) => count !== 1).map(({ file, count }) => `${file}: ${count} times`);
}

const commands = readFileSync('.ci/run', 'utf8').replaceAll(/^\s*#.*$/gm, '');

it('each test file belongs to exactly one project of vitest.config.ts', () => {
  expect(misplaced(projects.map(({ test }) => filesOf(test)))).toEqual([]);
});

// Two of three commits run with another etcd, and leave no findings that would replace those of the commit before.
it('.ci/run compares the tables of truth only with what this run has found', () => {
  const [begin = '', rest = ''] = commands.split('suite test ');
  expect(begin).toMatch(new RegExp(`^rm -rf .* ${findingsDirectory}$`, 'm'));
  expect(rest).toContain('npm run truth -- --check');
});

it('each test file is run by exactly one suite of .ci/run', () => {
  expect(lanesOf(commands)).toHaveLength(9);
  expect(misplaced(lanesOf(commands))).toEqual([]);
});

it('a file that no suite runs is found, and one that two suites run', () => {
  const withoutCli = commands.replace('suite cli npm run test:heavy -- test/heavy/cli/', '');
  expect(misplaced(lanesOf(withoutCli))).toEqual(['test/heavy/cli/packed-cli.test.ts: 0 times']);
  const twice = commands.replace("--exclude 'test/heavy/cli/**'", '');
  expect(misplaced(lanesOf(twice))).toEqual(['test/heavy/cli/packed-cli.test.ts: 2 times']);
});
