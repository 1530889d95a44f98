import { expect, it } from 'vitest';
import { tagProblems } from '../../../cli/status/tag-problems.ts';

it('finds nothing in tags that can be read, in Drover’s own, and in those of others', () => {
  const tags = {
    'drover.dev/role': 'worker',
    'drover.dev/drain-timeout': '15m',
    'drover.dev/paused': 'scope=group',
    'drover.dev/etcd-status': 'no quorum',
    team: 'shop',
  };
  expect(tagProblems({ tags })).toEqual([]);
});

it.each(['drover.dev/floor', 'drover.dev/hold/launch-day'])(
  'names the tag %s, which nothing reads',
  (key) => {
    expect(tagProblems({ tags: { [key]: 'base=2' } })).toEqual([
      `tag ${key} is unknown to Drover: check its spelling`,
    ]);
  },
);

it('names a tag that says what is not allowed, and one that is misspelt', () => {
  expect(tagProblems({ tags: { 'drover.dev/max-leaving': '0', 'drover.dev/Force': 'true' } })).toEqual([
    'tag drover.dev/max-leaving says something else than a whole number from 1 to 99999; the default holds',
    'tag drover.dev/Force is unknown to Drover: check its spelling',
  ]);
});
