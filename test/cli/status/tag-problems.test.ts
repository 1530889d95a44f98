import { expect, it } from 'vitest';
import { tagProblems } from '../../../cli/status/tag-problems.ts';

it('tagProblems ignores valid tags, tags that Drover writes, and tags of others', () => {
  const tags = {
    'drover.dev/role': 'worker',
    'drover.dev/drain-timeout': '15m',
    'drover.dev/paused': 'scope=group',
    'drover.dev/etcd-status': 'no quorum',
    'drover.dev/repair': 'NotReady=10m',
    team: 'shop',
  };
  expect(tagProblems({ tags })).toEqual([]);
});

it.each(['drover.dev/floor', 'drover.dev/hold/launch-day'])('tagProblems names the unknown tag %s', (key) => {
  expect(tagProblems({ tags: { [key]: 'base=2' } })).toEqual([
    `tag ${key} is unknown to Drover: check its spelling`,
  ]);
});

it('tagProblems names a tag with an invalid value, and a misspelt tag', () => {
  expect(tagProblems({ tags: { 'drover.dev/max-leaving': '0', 'drover.dev/Force': 'true' } })).toEqual([
    'tag drover.dev/max-leaving is not a whole number from 1 to 99999; the default applies',
    'tag drover.dev/Force is unknown to Drover: check its spelling',
  ]);
});

it('tagProblems names a tag of repair that does nothing', () => {
  const tags = { 'drover.dev/role': 'etcd', 'drover.dev/repair': 'NotReady=10m' };
  expect(tagProblems({ tags })).toEqual([
    'tag drover.dev/repair does nothing: Drover does not repair nodes with the role etcd, because a replacement could cost the quorum',
  ]);
});
