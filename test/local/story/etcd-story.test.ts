import { expect, test } from 'vitest';
import { createEtcdStory } from '../../../local/story/etcd-story.ts';
import type { EtcdMemberView } from '../../../local/story/etcd-view.ts';
import type { View } from '../../../local/story/view.ts';
import { calmView, etcdMember, instance, noEtcd } from './views.ts';

function tell({ isQuiet = (): boolean => true } = {}) {
  const said: string[] = [];
  const terminated: string[] = [];
  const story = createEtcdStory({
    say: (text) => said.push(text),
    terminate: (id) => terminated.push(id),
    isQuiet,
  });
  const look = (seconds: number, view: Partial<View>): void =>
    story.look({ ...calmView, ...view, at: calmView.at + seconds * 1000 });
  return { said, terminated, look, story };
}

const groups: View['groups'] = [
  ...calmView.groups,
  { name: 'etcd', role: 'etcd', minSize: 0, desiredCapacity: 3, maxSize: 6 },
];
const inGroup = (id: string, lifecycleState = 'InService') =>
  instance(id, { groupName: 'etcd', lifecycleState });
const withMembers = (
  ids: readonly string[],
  members: readonly EtcdMemberView[] = ids.map((id, index) => etcdMember(id, { leads: index === 0 })),
): Partial<View> => ({
  groups,
  instances: [...calmView.instances, ...ids.map((id) => inGroup(id))],
  etcd: { ...noEtcd, shown: ids, members },
});

const unborn: Partial<View> = {
  groups,
  instances: ['i-a', 'i-b', 'i-c'].map((id) => inGroup(id, 'Pending:Wait')),
};
const born = withMembers(['i-a', 'i-b', 'i-c']);

test('a new cluster is reported with its id once all members of the records serve and vote', () => {
  const { said, look } = tell();
  look(0, unborn);
  expect(said).toHaveLength(1);
  const two = ['i-a', 'i-b'].map((id) => etcdMember(id));
  look(20, withMembers(['i-a', 'i-b', 'i-c'], two));
  look(25, withMembers(['i-a', 'i-b', 'i-c'], [...two, etcdMember('i-c', { clusterId: 'beef' })]));
  expect(said).toHaveLength(1);
  look(30, born);
  expect(said.slice(1)).toEqual([
    'i-a, i-b and i-c have formed cluster 9a3f from the records after 30 s. Later members join it.',
  ]);
});

test('one follower is terminated, once, after a pause to read and when no other story runs', () => {
  let quiet = false;
  const { said, terminated, look } = tell({ isQuiet: () => quiet });
  for (const seconds of [0, 10, 20]) look(seconds, born);
  expect(terminated).toEqual([]);
  quiet = true;
  for (const seconds of [30, 34]) look(seconds, born);
  expect(terminated).toEqual([]);
  for (const seconds of [35, 40, 50]) look(seconds, born);
  expect(terminated).toEqual(['i-b']);
  expect(said.join('\n')).toContain('terminate-instance-in-auto-scaling-group --instance-id i-b');
});

test('the end waits until a replacement votes, and names the lowest number of voters', () => {
  const { said, look, story } = tell();
  for (const seconds of [0, 1, 6]) look(seconds, born);
  const before = said.length;
  const remaining = ['i-a', 'i-c'].map((id) => etcdMember(id, { voters: 2 }));
  const learner = etcdMember('i-d', { standing: 'learner', voters: 2 });
  look(20, withMembers(['i-a', 'i-c', 'i-d'], remaining));
  look(30, withMembers(['i-a', 'i-c', 'i-d'], [...remaining, learner]));
  expect(said).toHaveLength(before);
  expect(story.hasEnded()).toBe(false);
  look(40, withMembers(['i-a', 'i-c', 'i-d']));
  expect(said.slice(before)).toEqual([
    'i-b is replaced, after 34 s; it is still cluster 9a3f. There were never fewer than 2 members that vote: a quorum is 2.',
  ]);
  expect(story.hasEnded()).toBe(true);
});

test('a lost quorum is reported', () => {
  const { said, look } = tell();
  for (const seconds of [0, 1, 6]) look(seconds, born);
  look(20, withMembers(['i-a', 'i-c', 'i-d'], [etcdMember('i-a', { voters: 3 })]));
  look(40, withMembers(['i-a', 'i-c', 'i-d']));
  expect(said.at(-1)).toContain('never fewer than 1 members that vote: QUORUM WAS LOST');
});

test('without a group of members there is no story', () => {
  const { said, look } = tell();
  for (const seconds of [0, 10]) look(seconds, calmView);
  expect(said).toEqual([]);
});
