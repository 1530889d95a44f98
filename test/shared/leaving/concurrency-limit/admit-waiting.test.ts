import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitWaiting } from '../../../../shared/leaving/concurrency-limit/admit-waiting.ts';
import type { LeavingInstance } from '../../../../shared/leaving/concurrency-limit/free-slots.ts';

const instance = (instanceId: string, autoScalingGroupName = 'workers'): LeavingInstance => ({
  instanceId,
  autoScalingGroupName,
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
