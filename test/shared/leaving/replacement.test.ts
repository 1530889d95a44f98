import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { missingReplacements } from '../../../shared/leaving/replacement.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const [mine, second, third] = ['i-0aaaaaaaaaaaaaaaa', 'i-0bbbbbbbbbbbbbbbb', 'i-0cccccccccccccccc'] as const;

const nodeOf = (instanceId: string, parts: Parameters<typeof node>[0] = {}): Node =>
  node({ name: instanceId, instanceId, ...parts });

const marked = (instanceId: string): Node => {
  const mark = {
    cause: 'scheduled-change' as const,
    instanceId,
    since: '2026-11-21T07:00:00Z',
    renewedAt: '2026-11-21T07:00:00Z',
    before: { unschedulable: false, excludedFromLoadBalancers: false },
    waitingFor: [],
  };
  return nodeOf(instanceId, { annotations: { [leavingAnnotation]: formatLeavingMark(mark) } });
};

const missing = (
  states: Readonly<Record<string, string>>,
  {
    role = 'control-plane',
    desiredCapacity = 3,
    nodes = Object.keys(states).map((instanceId) => nodeOf(instanceId)),
  }: { role?: string; desiredCapacity?: number; nodes?: readonly Node[] } = {},
) => {
  const group: AutoScalingGroup = { ...groupOf(states), tags: { 'drover.dev/role': role }, desiredCapacity };
  return missingReplacements({ group, instanceId: mine, nodes });
};
const whole = { [mine]: 'InService', [second]: 'InService', [third]: 'InService' };

it('an instance of a whole control plane may leave', () => {
  expect(missing(whole)).toBe(0);
  expect(missing({ ...whole, [mine]: 'Terminating:Wait' })).toBe(0);
});

it('instances count with their weights where the sizes of the group are units', () => {
  const weighing = (states: Readonly<Record<string, string>>): AutoScalingGroup => {
    const group = groupOf(states);
    const instances = group.instances.map((member) => ({ ...member, weight: 2 }));
    return { ...group, instances, desiredCapacity: 6, tags: { 'drover.dev/role': 'control-plane' } };
  };
  const nodes = Object.keys(whole).map((instanceId) => nodeOf(instanceId));
  expect(missingReplacements({ group: weighing(whole), instanceId: mine, nodes })).toBe(0);
  const left = weighing({ ...whole, [third]: 'Terminating:Wait' });
  expect(missingReplacements({ group: left, instanceId: mine, nodes })).toBe(2);
});

it('the next one leaves only when the replacement of the one before is in service', () => {
  const left = { [mine]: 'InService', [second]: 'Terminating:Wait', [third]: 'InService' };
  expect(missing(left)).toBe(1);
  expect(missing({ ...left, 'i-0dddddddddddddddd': 'Pending' })).toBe(1);
  expect(missing({ ...left, 'i-0dddddddddddddddd': 'InService' })).toBe(0);
});

it('a replacement that the desired capacity does not ask for is not waited for', () => {
  const left = { [mine]: 'Terminating:Wait', [second]: 'Terminating:Wait', [third]: 'InService' };
  expect(missing(left, { desiredCapacity: 1 })).toBe(0);
  expect(missing(left, { desiredCapacity: 2 })).toBe(0);
  expect(missing({ [mine]: 'Terminating:Wait' }, { desiredCapacity: 0 })).toBe(0);
});

it('a replacement of a control plane serves once its Node is Ready and not leaving itself', () => {
  const others = [nodeOf(mine), nodeOf(second)];
  for (const bad of [
    [nodeOf(third, { ready: 'False' })],
    [nodeOf(third, { ready: 'Unknown' })],
    [marked(third)],
    [],
  ])
    expect(missing(whole, { nodes: [...others, ...bad] })).toBe(1);
});

it('an instance in service that Auto Scaling calls unhealthy does not serve', () => {
  const group = { ...groupOf(whole), tags: { 'drover.dev/role': 'etcd' } };
  const instances = group.instances.map((one) => ({ ...one, healthy: one.instanceId !== third }));
  expect(missingReplacements({ group: { ...group, instances }, instanceId: mine, nodes: [] })).toBe(1);
});

it('a member of etcd that has no Node serves when it is in service', () => {
  expect(missing(whole, { role: 'etcd', nodes: [] })).toBe(0);
  expect(missing(whole, { role: 'etcd', nodes: [marked(second)] })).toBe(1);
});
