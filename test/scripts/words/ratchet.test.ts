import { expect, test } from 'vitest';
import {
  countByFolder,
  folderOf,
  readTable,
  sumOf,
  worse,
  writeTable,
} from '../../../scripts/words/ratchet.ts';

test.each([
  ['README.md', '.'],
  ['docs/cli.md', 'docs'],
  ['shared/etcd/snapshots/names.ts', 'shared/etcd'],
  ['test/shared/etcd/pass.test.ts', 'test/shared/etcd'],
  ['packages/cloud-sandbox/src/aws/ec2/world.ts', 'packages/cloud-sandbox/src'],
])('%s counts for %s', (file, folder) => {
  expect(folderOf(file)).toBe(folder);
});

test('counts, writes and reads a sorted table', () => {
  const counts = countByFolder(['ui/a.ts', 'docs/a.md', 'ui/b.ts']);
  expect(writeTable(counts)).toBe('docs 1\nui 2\n');
  expect(readTable(writeTable(counts))).toEqual(counts);
  expect(sumOf(counts)).toBe(3);
});

test('the lowest of several lines of a folder counts: a merge keeps the lines of both sides', () => {
  expect(readTable('docs 5\nui 3\ndocs 4\nui 7\n')).toEqual(
    new Map([
      ['docs', 4],
      ['ui', 3],
    ]),
  );
});

test('refuses a line without a number', () => {
  expect(() => readTable('docs\n')).toThrow('not a line of a folder and a number: docs');
});

test('only folders with more than they may have are worse; an unlisted folder may have none', () => {
  const now = new Map([
    ['docs', 2],
    ['ui', 1],
    ['cli', 4],
    ['new', 1],
  ]);
  expect(
    worse(
      now,
      new Map([
        ['docs', 2],
        ['ui', 3],
        ['cli', 3],
      ]),
    ),
  ).toEqual(['cli', 'new']);
});
