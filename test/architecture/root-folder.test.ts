import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** A newcomer reads this list first. Lower the limit when something moves out of the root folder. */
const mostEntries = 24;

it(`has at most ${mostEntries} entries in the root folder`, () => {
  const paths = execFileSync('git', ['ls-files'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  const entries = new Set(paths.split('\n').flatMap((path) => (path === '' ? [] : [path.split('/')[0]])));
  expect(entries.size, [...entries].join('\n')).toBeLessThanOrEqual(mostEntries);
});
