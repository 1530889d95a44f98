import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedStories } from '../../local/story/seeds/stories.ts';

const page = readFileSync('docs/coming-from.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d /.test(line));
const named = rows.flatMap((row) => {
  const [, path, title] = /\| `([^`]+)`: "([^"]+)" \|$/.exec(row) ?? [];
  return path !== undefined && title !== undefined ? [[path, title] as const] : [];
});

test.each(named)('%s has the test "%s"', (path, title) => {
  const source = readFileSync(path, 'utf8').replaceAll(/\(\s+'/g, "('");
  // `)` ends the values of a test for each of them.
  expect(['it', 'test', ')'].some((word) => source.includes(`${word}('${title}'`))).toBe(true);
});

test('each row names a test, or says that there is none', () => {
  const without = rows.filter((row) => row.endsWith('| none |'));
  expect(without.length + named.length).toBe(rows.length);
  expect(rows).toHaveLength(31);
});

test('each story has its document on the page', () => {
  const commands = [...page.matchAll(/^`npm start -- --story ([\w-]+)`/gm)].map(([, name = '']) => name);
  expect(commands.toSorted()).toEqual(seedStories.map(({ name }) => name).toSorted());
});
