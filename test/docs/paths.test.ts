import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const pages = ['docs/CONTRIBUTING.md', ...globSync('docs/development/*.md')];
const folders = readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const built = ['scripts/site/node_modules', 'dist/', 'reports/'];

/** The paths of the repository that a page names, without placeholders such as functions/X.ts. */
const pathsIn = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/`([\w.*-]+\/[\w./*-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => folders.some(({ name }) => path.startsWith(`${name}/`)))
    .filter((path) => !built.some((start) => path.startsWith(start)) && !/\bX\b/.test(path));

test.each(pages)('%s names only paths that exist', (page) => {
  expect(pathsIn(page).filter((path) => globSync(path).length === 0)).toEqual([]);
});

test('finds paths to check', () => {
  expect(pages.flatMap(pathsIn).length).toBeGreaterThan(60);
});
