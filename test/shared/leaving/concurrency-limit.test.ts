import * as fc from 'fast-check';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import {
  admitAdvised,
  admitWaiting,
  byInstanceId,
  freeSlots,
  hasStarted,
  type LeavingInstance,
  membersOf,
  missingReplacements,
  notStarted,
  waitingOf,
} from '../../../shared/leaving/concurrency-limit.ts';
import { formatLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const instance = (instanceId: string, autoScalingGroupName = 'workers'): LeavingInstance => ({
  instanceId,
  autoScalingGroupName,
});

describe('the turn of a running instance, which is on no list before its node is marked', () => {
  interface Asked {
    readonly started?: LeavingInstance[];
    readonly waiting?: LeavingInstance[];
    readonly members: LeavingInstance[];
    readonly maxInGroup?: number;
    readonly maxInCluster?: number;
    readonly seconds?: number;
  }
  const askUnseen = (instanceId: string, { maxInGroup = 2, seconds = 0, ...input }: Asked) =>
    admitAdvised({
      instanceId,
      started: [],
      waiting: [],
      maxInCluster: 100,
      ...input,
      maxInGroup: () => maxInGroup,
      now: seconds * 1000,
    });
  const five = [1, 2, 3, 4, 5].map((id) => instance(`i-${id}`));

  it('is immediate if there is a slot for every member of its group', () => {
    for (const seconds of [0, 10, 25])
      expect(askUnseen('i-5', { members: five, maxInGroup: 5, seconds })).toEqual({ admitted: true });
  });

  it('is in a span of time that as many members share as there are slots', () => {
    const mayAt = (id: string) =>
      [0, 9, 10, 20, 30].filter((seconds) => askUnseen(id, { members: five, seconds }).admitted);
    expect(mayAt('i-1')).toEqual([0, 9, 30]);
    expect(mayAt('i-2')).toEqual([0, 9, 30]);
    expect(mayAt('i-3')).toEqual([10]);
    expect(mayAt('i-5')).toEqual([20]);
    expect(askUnseen('i-5', { members: five, seconds: 3 })).toEqual({
      admitted: false,
      ahead: 0,
      afterSeconds: 17,
    });
  });

  it('comes after instances in Terminating:Wait and after marked nodes', () => {
    const waiting = [instance('i-8')];
    expect(askUnseen('i-2', { members: five, waiting, seconds: 10 })).toEqual({ admitted: true });
    expect(askUnseen('i-2', { members: five, started: waiting, seconds: 10 })).toEqual({ admitted: true });
    expect(askUnseen('i-1', { members: five, waiting: [...waiting, instance('i-9')] })).toEqual({
      admitted: false,
      ahead: 2,
    });
    expect(askUnseen('i-1', { members: five, waiting, started: [instance('i-9')] })).toMatchObject({
      ahead: 1,
    });
    expect(askUnseen('i-1', { members: five, waiting: five })).toMatchObject({ admitted: false });
  });

  it('is not delayed by another group that has fewer slots', () => {
    const members = [...five, instance('i-6', 'others')];
    const maxInGroup = (name: string): number => (name === 'others' ? 1 : 2);
    for (const now of [0, 10_000, 20_000])
      expect(
        admitAdvised({
          instanceId: 'i-6',
          started: [],
          waiting: [],
          members,
          maxInGroup,
          maxInCluster: 100,
          now,
        }),
      ).toEqual({ admitted: true });
  });

  it('passes from group to group if the cluster has fewer slots than groups', () => {
    const members = ['one', 'two', 'three'].map((group, index) => instance(`i-${index}`, group));
    const mayAt = (seconds: number) =>
      members
        .filter(({ instanceId }) => askUnseen(instanceId, { members, maxInCluster: 1, seconds }).admitted)
        .map(({ autoScalingGroupName }) => autoScalingGroupName);
    expect([0, 10, 20, 30].map(mayAt)).toEqual([['one'], ['three'], ['two'], ['one']]);
  });

  it('lasts until its end once it has started', () => {
    const started = [instance('i-4'), instance('i-5')];
    expect(askUnseen('i-5', { members: five, started })).toEqual({ admitted: true });
  });

  it('never comes for more instances at once than there are slots, and comes for each', () => {
    const world = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 }),
      maxInGroup: fc.integer({ min: 1, max: 6 }),
      maxInCluster: fc.integer({ min: 1, max: 10 }),
      seconds: fc.nat(10_000),
    });
    fc.assert(
      fc.property(world, ({ ids, seconds, ...bounds }) => {
        const members = ids.map((id) => instance(`i-${id}`, `group-${id % 3}`));
        const chosen = members.filter(
          ({ instanceId }) => askUnseen(instanceId, { members, seconds, ...bounds }).admitted,
        );
        expect(chosen.length).toBeLessThanOrEqual(bounds.maxInCluster);
        for (const group of ['group-0', 'group-1', 'group-2'])
          expect(chosen.filter((one) => one.autoScalingGroupName === group).length).toBeLessThanOrEqual(
            bounds.maxInGroup,
          );
        for (const { instanceId } of members) {
          const turn = askUnseen(instanceId, { members, seconds, ...bounds });
          const after = turn.admitted ? 0 : (turn.afterSeconds ?? Number.NaN);
          expect(askUnseen(instanceId, { members, seconds: seconds + after, ...bounds }).admitted).toBe(true);
        }
      }),
    );
  });
});

const ask = (
  instanceId: string,
  input: {
    started?: LeavingInstance[];
    waiting: LeavingInstance[];
    maxInGroup?: number;
    maxInCluster?: number;
  },
) =>
  admitWaiting({
    instanceId,
    started: input.started ?? [],
    waiting: input.waiting,
    maxInGroup: () => input.maxInGroup ?? 2,
    maxInCluster: input.maxInCluster ?? 100,
  });

describe('the turn of a waiting instance', () => {
  it('comes at once while there are slots', () => {
    expect(ask('i-2', { waiting: [instance('i-1'), instance('i-2')] })).toEqual({ admitted: true });
  });

  it('does not come for the third instance with two slots, and the answer has the number ahead of it', () => {
    const waiting = [instance('i-1'), instance('i-2'), instance('i-3'), instance('i-4')];
    expect(ask('i-3', { waiting })).toMatchObject({ admitted: false, ahead: 0 });
    expect(ask('i-4', { waiting })).toMatchObject({ admitted: false, ahead: 1 });
  });

  it('comes next for as many instances as may leave at once, in the group and in the cluster', () => {
    const waiting = [1, 2, 3, 4, 5, 6].map((number) => instance(`i-${number}`));
    const isNext = (id: string, limits: { maxInGroup?: number; maxInCluster?: number } = {}) =>
      Object.entries(ask(id, { waiting, ...limits })).find(([key]) => key === 'isNext')?.[1];
    expect(['i-3', 'i-4', 'i-5'].map((id) => isNext(id))).toEqual([true, true, false]);
    expect(['i-2', 'i-3'].map((id) => isNext(id, { maxInCluster: 1 }))).toEqual([true, false]);
    const others = [...waiting, instance('i-7', 'spot'), instance('i-8', 'spot')];
    expect(ask('i-8', { waiting: others, maxInGroup: 1 })).toMatchObject({ isNext: true });
  });

  it('stays with instances that have started', () => {
    const waiting = [instance('i-1'), instance('i-8'), instance('i-9')];
    const started = [instance('i-8'), instance('i-9')];
    expect(ask('i-9', { started, waiting })).toEqual({ admitted: true });
    expect(ask('i-1', { started, waiting })).toMatchObject({ admitted: false });
  });

  it('is limited in the cluster too, and a full group does not delay another', () => {
    const waiting = [instance('i-1'), instance('i-2'), instance('i-3'), instance('i-4', 'spot')];
    expect(ask('i-4', { waiting })).toEqual({ admitted: true });
    expect(ask('i-4', { waiting, maxInCluster: 2 })).toMatchObject({ admitted: false });
  });

  it('is the same in every pass: never more instances than slots, and never none', () => {
    const world = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 }),
      begunCount: fc.nat(5),
      maxInGroup: fc.integer({ min: 1, max: 6 }),
      maxInCluster: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(world, ({ ids, begunCount, maxInGroup, maxInCluster }) => {
        const waiting = ids.map((id) => instance(`i-${id}`, `group-${id % 3}`));
        const started = waiting.slice(0, Math.min(begunCount, maxInGroup, maxInCluster));
        const chosen = waiting.filter(
          (one) => ask(one.instanceId, { started, waiting, maxInGroup, maxInCluster }).admitted,
        );
        expect(chosen.length).toBeLessThanOrEqual(maxInCluster);
        expect(chosen.length).toBeGreaterThan(0);
        for (const group of ['group-0', 'group-1', 'group-2'])
          expect(chosen.filter((one) => one.autoScalingGroupName === group).length).toBeLessThanOrEqual(
            maxInGroup,
          );
      }),
    );
  });
});

const input = (changes: Partial<Parameters<typeof freeSlots>[0]> = {}) => ({
  instanceId: 'i-1',
  started: [instance('i-2')],
  waiting: [instance('i-3'), instance('i-2'), instance('i-1')],
  maxInGroup: () => 2,
  maxInCluster: 3,
  ...changes,
});

describe('waiting instances', () => {
  it('that have not started are in the order of their ids', () => {
    expect(notStarted(input()).map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-3']);
  });

  it('have started once they are marked', () => {
    expect(hasStarted(input())).toBe(false);
    expect(hasStarted(input({ instanceId: 'i-2' }))).toBe(true);
  });

  it('are compared as their ids are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const order = byInstanceId(instance(one), instance(other));
        expect(order).toBe(one === other ? 0 : [one, other].sort()[0] === one ? -1 : 1);
      }),
    );
  });
});

describe('free slots', () => {
  it('are taken within the limit of the group and of the cluster', () => {
    const slots = freeSlots(input());
    expect([slots.leftInGroup('workers'), slots.leftInGroup('other'), slots.leftInCluster()]).toEqual([
      1, 2, 2,
    ]);
    expect(slots.take(instance('i-4'))).toBe(true);
    expect(slots.take(instance('i-5'))).toBe(false);
    expect(slots.take(instance('i-6', 'other'))).toBe(true);
    expect(slots.take(instance('i-7', 'other'))).toBe(false);
    expect(slots.leftInCluster()).toBe(0);
  });
});

describe('the members of a group', () => {
  const states = {
    'i-3': 'Terminating:Wait',
    'i-1': 'Warmed:Terminating:Wait',
    'i-2': 'InService',
    'i-4': 'Terminating:Proceed',
  };

  it('know their group', () => {
    const members = membersOf(groupOf(states));
    expect([...members.keys()].toSorted()).toEqual(['i-1', 'i-2', 'i-3', 'i-4']);
    expect(members.get('i-2')).toMatchObject({
      autoScalingGroupName: 'workers',
      lifecycleState: 'InService',
    });
  });

  it('wait in the order of their ids', () => {
    expect(waitingOf(groupOf(states)).map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-3']);
  });

  it('are computed once for each reading of a group', () => {
    const group = groupOf(states);
    expect(waitingOf(group)).toBe(waitingOf(group));
    expect(waitingOf(groupOf({ ...states, 'i-2': 'Terminating:Wait' }))).toHaveLength(3);
    expect(waitingOf(group)).toHaveLength(2);
  });
});

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
