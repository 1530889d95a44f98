import { expect, it } from 'vitest';
import { secondClusterProblems, tagProblems } from '../../../shared/problems/tag-problems.ts';

const problemsOf = (tags: Readonly<Record<string, string>>): readonly string[] =>
  tagProblems({ autoScalingGroupName: 'workers', tags }).map(({ message }) => message);

it('tagProblems ignores valid tags, tags that Drover writes, and tags of others', () => {
  const tags = {
    'drover.dev/role': 'worker',
    'drover.dev/drain-timeout': '15m',
    'drover.dev/paused': 'scope=group',
    'drover.dev/etcd-status': 'no quorum',
    'drover.dev/repair': 'NotReady=10m',
    'drover.dev/repair-window': 'Mon-Fri 09:00-16:00 Europe/Berlin',
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

it('tagProblems names the tag of a taint that nothing reads, with the command that sets what was meant', () => {
  const prefix = 'k8s.io/cluster-autoscaler/node-template/taint/';
  const tags = { [`${prefix}nvidia.com/gpu`]: 'NoSchedule:gpu', [`${prefix}dedicated`]: 'batch:NoSchedule' };
  expect(tagProblems({ autoScalingGroupName: 'workers', tags })).toEqual([
    {
      kind: 'tag',
      subject: 'workers',
      message: `tag ${prefix}nvidia.com/gpu is "NoSchedule:gpu", not VALUE:EFFECT such as gpu:NoSchedule, so it is not a taint`,
      command: expect.stringContaining(`Key=${prefix}nvidia.com/gpu,Value=gpu:NoSchedule,`),
    },
  ]);
});

it('tagProblems names a tag of repair that does nothing', () => {
  const tags = { 'drover.dev/role': 'etcd', 'drover.dev/repair': 'NotReady=10m' };
  expect(problemsOf(tags)).toEqual([
    'tag drover.dev/repair does nothing: Drover does not repair nodes with the role etcd, because a replacement could cost the quorum',
  ]);
});

it('secondClusterProblems names each other cluster that may manage the group', () => {
  const tags = {
    'kubernetes.io/cluster/prod': 'owned',
    'kubernetes.io/cluster/prod-2': 'shared',
    'kubernetes.io/cluster/old': '',
    'kubernetes.io/cluster/': 'owned',
  };
  const problems = secondClusterProblems({ autoScalingGroupName: 'workers', tags }, 'prod');
  expect(problems).toEqual([
    {
      kind: 'tag',
      subject: 'workers',
      message: expect.stringContaining('it has the tag of cluster prod-2 too'),
      command: expect.stringContaining('Key=kubernetes.io/cluster/prod-2'),
    },
  ]);
});
