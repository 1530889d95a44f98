import { expect, it } from 'vitest';
import { tagProblems } from '../../../shared/problems/tag-problems.ts';

const problemsOf = (tags: Readonly<Record<string, string>>): readonly string[] =>
  tagProblems({ autoScalingGroupName: 'workers', tags }).map(({ message }) => message);

it('tagProblems ignores valid tags, tags that Drover writes, and tags of others', () => {
  const tags = {
    'drover.dev/role': 'worker',
    'drover.dev/drain-timeout': '15m',
    'drover.dev/paused': 'scope=group',
    'drover.dev/etcd-status': 'no quorum',
    'drover.dev/repair': 'NotReady=10m',
    team: 'shop',
  };
  expect(problemsOf(tags)).toEqual([]);
});

it.each(['drover.dev/floor', 'drover.dev/hold/launch-day'])('tagProblems names the unknown tag %s', (key) => {
  expect(problemsOf({ [key]: 'base=2' })).toEqual([`tag ${key} is unknown to Drover: check its spelling`]);
});

it('tagProblems names a tag with an invalid value, and a misspelt tag', () => {
  expect(problemsOf({ 'drover.dev/max-leaving': '0', 'drover.dev/Force': 'true' })).toEqual([
    'tag drover.dev/max-leaving is not a whole number from 1 to 99999; the default applies',
    'tag drover.dev/Force is unknown to Drover: check its spelling',
  ]);
});

it('tagProblems names a tag of repair that does nothing', () => {
  const tags = { 'drover.dev/role': 'etcd', 'drover.dev/repair': 'NotReady=10m' };
  expect(problemsOf(tags)).toEqual([
    'tag drover.dev/repair does nothing: Drover does not repair nodes with the role etcd, because a replacement could cost the quorum',
  ]);
});
