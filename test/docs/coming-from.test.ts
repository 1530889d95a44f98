import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedStories } from '../../local/story/seeds/stories.ts';

const page = readFileSync('docs/coming-from.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d /.test(line));

/** The tests in the last cell, with `;` between them. */
function testsOf(row: string): readonly (readonly [path: string, title: string])[] {
  const cell = /\| ((?:`[^`]+`: "[^"]+"(?:; )?)+) \|$/.exec(row)?.[1] ?? '';
  return [...cell.matchAll(/`([^`]+)`: "([^"]+)"/g)].map(
    ([, path = '', title = '']) => [path, title] as const,
  );
}

const named = rows.flatMap(testsOf);

test.each(named)('%s has the test "%s"', (path, title) => {
  const source = readFileSync(path, 'utf8').replaceAll(/\(\s+'/g, "('");
  // `)` ends the values of a test for each of them.
  expect(['it', 'test', ')'].some((word) => source.includes(`${word}('${title}'`))).toBe(true);
});

test('each row names its tests, or says that there is none', () => {
  const without = rows.filter((row) => testsOf(row).length === 0);
  expect(without.filter((row) => !row.endsWith('| none |'))).toEqual([]);
  expect(rows).toHaveLength(31);
});

test('each story has its document on the page', () => {
  const commands = [...page.matchAll(/^`npm start -- --story ([\w-]+)`/gm)].map(([, name = '']) => name);
  expect(commands.toSorted()).toEqual(seedStories.map(({ name }) => name).toSorted());
});
