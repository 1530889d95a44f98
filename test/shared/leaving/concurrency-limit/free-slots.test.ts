import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byInstanceId,
  freeSlots,
  hasStarted,
  notStarted,
} from '../../../../shared/leaving/concurrency-limit/free-slots.ts';

const instance = (instanceId: string, autoScalingGroupName = 'workers') => ({
  instanceId,
  autoScalingGroupName,
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
