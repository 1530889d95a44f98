import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import {
  admitAdvised,
  admitWaiting,
  limitsOf,
  membersOf,
  waitingOf,
} from '../../../shared/leaving/concurrency-limit.ts';
import { groupsOfSameRole, missingInRole } from '../../../shared/leaving/same-role.ts';
import { node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const clusterTags = { 'kubernetes.io/cluster/main': 'owned' };
const tagged = (
  autoScalingGroupName: string,
  role: string,
  states: Readonly<Record<string, string>>,
): AutoScalingGroup => ({
  ...groupOf(states),
  autoScalingGroupName,
  desiredCapacity: 1,
  tags: { ...clusterTags, 'drover.dev/role': role },
});

const idOf = (number: number): string => `i-0${number.toString(16).padStart(16, '0')}`;
const nodesOf = (groups: readonly AutoScalingGroup[]) =>
  groups.flatMap(({ instances }) =>
    instances.map(({ instanceId }) => node({ name: instanceId, instanceId })),
  );

const limits = (groups: readonly AutoScalingGroup[]) =>
  limitsOf(
    {
      defaults: { maxLeaving: 5 } as Parameters<typeof limitsOf>[0]['defaults'],
      maxLeavingPerCluster: 100,
    },
    groups,
  );

describe('groups of one role', () => {
  it('are the managed ones of the cluster, and the own group also if the list lacks it', () => {
    const own = tagged('control-plane-a', 'control-plane', {});
    const other = tagged('control-plane-b', 'control-plane', {});
    const foreign = {
      ...other,
      autoScalingGroupName: 'foreign',
      tags: { 'drover.dev/role': 'control-plane' },
    };
    const listed = [other, foreign, tagged('etcd', 'etcd', {}), tagged('workers', 'worker', {})];
    const names = (groups: readonly AutoScalingGroup[]) =>
      groupsOfSameRole(groups, own, 'main').map((one) => one.autoScalingGroupName);
    expect(names(listed)).toEqual(['control-plane-b', 'control-plane-a']);
    expect(names([own, ...listed])).toEqual(['control-plane-a', 'control-plane-b']);
  });

  it('share the slot in which one instance leaves, whatever their names and ids are', () => {
    const states = fc.constantFrom('Terminating:Wait', 'InService', 'Pending:Wait');
    const role = fc.constantFrom('control-plane', 'etcd', 'worker');
    const group = fc.record({ role, states: fc.array(states, { maxLength: 4 }) });
    fc.assert(
      fc.property(
        fc.array(group, { maxLength: 6 }),
        fc.uniqueArray(fc.nat(0xffff), { minLength: 24, maxLength: 24 }),
        (plans, numbers) => {
          const ids = numbers.map(idOf);
          const newId = (): string => ids.pop() ?? '';
          const groups = plans.map((plan, index) =>
            // One group is called as another's role.
            tagged(
              index === 0 ? 'control-plane' : `group-${index}`,
              plan.role,
              Object.fromEntries(plan.states.map((state) => [newId(), state])),
            ),
          );
          const waiting = groups.flatMap((one) => waitingOf(one));
          const admitted = waiting.filter(
            ({ instanceId }) =>
              admitWaiting({ instanceId, started: [], waiting, ...limits(groups) }).admitted,
          );
          const ofRole = (wanted: string) =>
            new Set(
              groups
                .filter(({ tags }) => tags['drover.dev/role'] === wanted)
                .map((one) => one.autoScalingGroupName),
            );
          for (const quorum of ['control-plane', 'etcd']) {
            const inRole = (list: readonly { autoScalingGroupName: string }[]) =>
              list.filter(({ autoScalingGroupName }) => ofRole(quorum).has(autoScalingGroupName)).length;
            expect(inRole(admitted)).toBe(Math.min(1, inRole(waiting)));
          }
        },
      ),
    );
  });

  it('have one instance next in turn, after the first of any of them', () => {
    const groups = ['a', 'b', 'c'].map((name, index) =>
      tagged(name, 'control-plane', { [idOf(index)]: 'Terminating:Wait' }),
    );
    const waiting = groups.flatMap((one) => waitingOf(one));
    const answers = waiting.map(({ instanceId }) =>
      admitWaiting({ instanceId, started: [], waiting: [...waiting], ...limits(groups) }),
    );
    expect(answers).toEqual([
      { admitted: true },
      { admitted: false, ahead: 0, isNext: true },
      { admitted: false, ahead: 1, isNext: false },
    ]);
  });

  it('give advised instances of all of them one span each, in which no other may start', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('control-plane', 'etcd'),
        fc.nat(1e6),
        (sizes, role, offset) => {
          let number = 0;
          const groups = sizes.map((size, index) =>
            tagged(
              `group-${index}`,
              role,
              Object.fromEntries(Array.from({ length: size }, () => [idOf((number += 1)), 'InService'])),
            ),
          );
          const members = groups.flatMap((one) => [...membersOf(one).values()]);
          const went = new Set<string>();
          for (let span = 0; span < members.length; span += 1) {
            const now = (offset + span) * 10_000;
            const free = members.filter(
              ({ instanceId }) =>
                admitAdvised({ instanceId, started: [], waiting: [], members, now, ...limits(groups) })
                  .admitted,
            );
            expect(free).toHaveLength(1);
            for (const { instanceId } of free) went.add(instanceId);
          }
          expect(went.size).toBe(members.length);
        },
      ),
    );
  });

  it('leave their workers the slots that each group has', () => {
    const two = ['a', 'b'].map((name, index) =>
      tagged(name, 'worker', { [idOf(index)]: 'Terminating:Wait' }),
    );
    const { slotsOf = (name: string) => name } = limits(two);
    expect(two.map(({ autoScalingGroupName }) => slotsOf(autoScalingGroupName))).toEqual(['a', 'b']);
  });
});

describe('the replacements that groups of one role lack', () => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map(idOf) as [string, string, string, string];
  const leaving = { autoScalingGroupName: 'a', instanceId: first };
  const others = [
    tagged('b', 'etcd', { [second]: 'InService' }),
    tagged('c', 'etcd', { [third]: 'InService' }),
  ];
  const own = tagged('a', 'etcd', { [first]: 'Terminating:Wait' });

  it('are none while all others serve', () => {
    const groups = [own, ...others];
    expect(missingInRole(groups, leaving, nodesOf(groups))).toBe(0);
  });

  it('are those of each group, although another has an instance too many', () => {
    const groups = [
      own,
      tagged('b', 'etcd', { [second]: 'Pending:Wait' }),
      tagged('c', 'etcd', { [third]: 'InService', [fourth]: 'InService' }),
    ];
    expect(missingInRole(groups, leaving, nodesOf(groups))).toBe(1);
  });

  it('are none in a group that desires no instance any more', () => {
    const groups = [{ ...own, desiredCapacity: 0 }, ...others];
    expect(missingInRole(groups, leaving, nodesOf(groups))).toBe(0);
  });
});
