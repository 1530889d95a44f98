import { expect, test } from 'vitest';
import type { EtcdSightView } from '../../../local/story/etcd-view.ts';
import { narrateEtcd } from '../../../local/story/narrate-etcd.ts';
import { etcdMember, noEtcd } from './views.ts';

const told = (before: Partial<EtcdSightView>, after: Partial<EtcdSightView>): readonly string[] =>
  narrateEtcd({ ...noEtcd, ...before }, { ...noEtcd, ...after }).map(
    ([speaker, text]) => `${speaker}: ${text}`,
  );
const name = noEtcd.srvName;

test('no change, no line', () => {
  const sight = { shown: ['i-1'], members: [etcdMember('i-1')] };
  expect(told(sight, sight)).toEqual([]);
});

test('a changed set of members in DNS gets a line', () => {
  expect(told({}, { shown: ['i-1', 'i-2', 'i-3'] })).toEqual([
    `dns: ${name} shows i-1, i-2 and i-3, all at once`,
  ]);
  expect(told({ shown: ['i-1', 'i-2'] }, { shown: ['i-2', 'i-3'] })).toEqual([
    `dns: ${name} shows i-2 and i-3`,
  ]);
  expect(told({ shown: ['i-1'] }, {})).toEqual([`dns: ${name} is gone`]);
});

test('a learner is followed from its start to its vote', () => {
  const starting = [etcdMember('i-1', { standing: 'learner', serves: false })];
  const learning = [etcdMember('i-1', { standing: 'learner' })];
  expect(told({}, { members: starting })).toEqual([]);
  expect(told({ members: starting }, { members: learning })).toEqual([
    'etcd: i-1 is a learner of cluster 9a3f: it has no vote yet',
  ]);
  expect(told({ members: learning }, { members: [etcdMember('i-1')] })).toEqual([
    'etcd: i-1 is promoted: it votes in cluster 9a3f',
  ]);
});

test('a member that starts and one that stops get lines', () => {
  expect(told({}, { members: [etcdMember('i-1')] })).toEqual([
    'etcd: i-1 serves as a member of cluster 9a3f',
  ]);
  expect(told({ members: [etcdMember('i-1')] }, { listed: ['i-1'] })).toEqual([
    'etcd: i-1 stops running etcd',
  ]);
});

test('a removed member gets one line, however often its unit starts it again', () => {
  const removed = [etcdMember('i-1', { standing: 'removed' })];
  expect(told({ members: [etcdMember('i-1')] }, { members: removed })).toEqual([
    'etcd: i-1 is removed from cluster 9a3f',
  ]);
  expect(told({ members: removed }, {})).toEqual([]);
  expect(told({ members: [etcdMember('i-1')] }, { listed: ['i-2'] })).toEqual([
    'etcd: i-1 is removed from cluster 9a3f',
  ]);
  expect(told({}, { members: removed })).toEqual([]);
});
