import { expect, test } from 'vitest';
import { createStory } from '../../../local/story/story.ts';
import type { View } from '../../../local/story/view.ts';
import { calmView, instance, node, pod } from './views.ts';

function tell() {
  const said: string[] = [];
  const terminated: string[] = [];
  const story = createStory({ say: (text) => said.push(text), terminate: (id) => terminated.push(id) });
  const look = (seconds: number, view: Partial<View> = {}): void =>
    story.look({ ...calmView, ...view, at: calmView.at + seconds * 1000 });
  return { said, terminated, look };
}

const gone: Partial<View> = {
  instances: [instance('i-1'), instance('i-3')],
  nodes: [node('ip-1', 'i-1'), node('ip-3', 'i-3')],
  pods: [pod('a', 'ip-1'), pod('b2', 'ip-3'), pod('c2', 'ip-1')],
};

test('the instance with the most pods is terminated once, after a pause to read', () => {
  const { terminated, look } = tell();
  for (const seconds of [0, 2, 4]) look(seconds);
  expect(terminated).toEqual([]);
  for (const seconds of [6, 8, 10]) look(seconds);
  expect(terminated).toEqual(['i-2']);
});

test('the beginning names what runs, and a command with the same effect', () => {
  const { said, look } = tell();
  look(0);
  look(6);
  expect(said[0]).toBe('2 nodes run 3 pods. The budget web wants 2 of its 3 to stay up.');
  expect(said.join('\n')).toContain('terminate-instance-in-auto-scaling-group --instance-id i-2');
});

test('the end waits for the instance to go, its replacement to serve and every pod to run, and names the lowest number of pods', () => {
  const { said, look } = tell();
  look(0);
  look(6);
  const before = said.length;
  look(20, {
    budgets: [{ namespace: 'default', name: 'web', healthy: 2, desired: 2, disruptionsAllowed: 0 }],
  });
  look(30, { ...gone, nodes: [node('ip-1', 'i-1')] });
  look(40, { ...gone, pods: [pod('a', 'ip-1'), pod('b2', 'ip-3', { ready: false })] });
  expect(said).toHaveLength(before);
  look(46, gone);
  look(60, gone);
  expect(said.slice(before)).toEqual([
    'The instance is gone and a new node has taken its place, after 40 s. There were never fewer than 2 healthy web pods; the budget wants 2.',
  ]);
});

test('members of etcd are not part of the story of nodes', () => {
  const { terminated, said, look } = tell();
  const withEtcd = (view: Partial<View>): Partial<View> => ({
    ...view,
    groups: [...calmView.groups, { name: 'etcd', role: 'etcd', minSize: 0, desiredCapacity: 3, maxSize: 6 }],
    instances: [instance('i-e', { groupName: 'etcd' }), ...(view.instances ?? calmView.instances)],
  });
  for (const seconds of [0, 6]) look(seconds, withEtcd({}));
  expect(terminated).toEqual(['i-2']);
  look(46, withEtcd(gone));
  expect(said.at(-1)).toContain('a new node has taken its place');
});

test('the story waits if no instance is in service', () => {
  const { terminated, look } = tell();
  look(0, { instances: [] });
  look(6, { instances: [] });
  expect(terminated).toEqual([]);
  look(12);
  expect(terminated).toEqual(['i-2']);
});
