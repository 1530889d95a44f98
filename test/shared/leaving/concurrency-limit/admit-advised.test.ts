import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitAdvised } from '../../../../shared/leaving/concurrency-limit/admit-advised.ts';
import type { LeavingInstance } from '../../../../shared/leaving/concurrency-limit/free-slots.ts';

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
