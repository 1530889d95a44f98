import { expect, test } from 'vitest';
import { progressOf, rollMembers } from '../../../shared/roll/progress.ts';
import { groupOf, instance, launchOf, newMember, nodeOf, oldMember, rollOf, startedAt } from './fixture.ts';

const ids = (members: readonly { readonly instanceId: string }[]) =>
  members.map(({ instanceId }) => instanceId);

test('sorts the instances of a group into old, leaving, fresh and left out', () => {
  const { launch: _, ...silent } = oldMember(6);
  const members = [
    oldMember(1),
    oldMember(2, { lifecycleState: 'Terminating:Wait' }),
    newMember(3),
    oldMember(4, { protectedFromScaleIn: true }),
    newMember(5, { lifecycleState: 'Pending:Wait' }),
    silent,
  ];
  const [progress] = progressOf(rollOf(), { groups: [groupOf(members)], members });
  expect(ids(progress?.old.map(({ member }) => member) ?? [])).toEqual([instance(1)]);
  expect(ids(progress?.leaving ?? [])).toEqual([instance(2)]);
  expect(ids(progress?.fresh ?? [])).toEqual([instance(3), instance(5)]);
  expect(ids(progress?.leftOut ?? [])).toEqual([instance(4), instance(6)]);
});

test('takes etcd first, then control planes, then workers, each in the order of the roll', () => {
  const names = ['b-workers', 'masters', 'a-workers', 'etcd'];
  const roles = ['worker', 'control-plane', 'worker', 'etcd'];
  const groups = names.map((autoScalingGroupName, index) =>
    groupOf([], { autoScalingGroupName, role: roles[index] ?? '' }),
  );
  const progress = progressOf(rollOf(names), { groups, members: [] });
  expect(progress.map(({ autoScalingGroupName }) => autoScalingGroupName)).toEqual([
    'etcd',
    'masters',
    'b-workers',
    'a-workers',
  ]);
});

test('shows a group that is gone without instances', () => {
  expect(progressOf(rollOf(), { groups: [], members: [] })).toEqual([
    { autoScalingGroupName: 'workers', role: 'worker', old: [], leaving: [], fresh: [], leftOut: [] },
  ]);
});

test('an instance has the only Node that names it, and the template of its group', () => {
  const { template, imageId } = launchOf(1);
  const group = groupOf([oldMember(1, { launchTemplate: template }), oldMember(2)]);
  const launches = new Map([[instance(1), { launchedAt: startedAt, imageId }]]);
  const twin = nodeOf(instance(2), { metadata: { name: 'twin' } });
  const nodes = [nodeOf(instance(1)), nodeOf(instance(2)), twin];
  const [first, second] = rollMembers([group], launches, nodes);
  expect(first).toMatchObject({
    launch: { launchedAt: startedAt, imageId, template },
    node: { metadata: { name: `node-${instance(1)}` } },
  });
  expect(second).not.toHaveProperty('node');
  expect(second).not.toHaveProperty('launch');
});
