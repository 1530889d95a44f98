import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Leaver } from '../../../../shared/draining/leaving/places.ts';
import { turnOf } from '../../../../shared/draining/leaving/turn.ts';

const leaver = (instanceId: string, autoScalingGroupName = 'workers'): Leaver => ({
  instanceId,
  autoScalingGroupName,
});

const ask = (
  instanceId: string,
  input: { begun?: Leaver[]; waiting: Leaver[]; maxInGroup?: number; maxInCluster?: number },
) =>
  turnOf({
    instanceId,
    begun: input.begun ?? [],
    waiting: input.waiting,
    maxInGroup: () => input.maxInGroup ?? 2,
    maxInCluster: input.maxInCluster ?? 100,
  });

describe('whose turn it is', () => {
  it('is everyone’s while there are places', () => {
    expect(ask('i-2', { waiting: [leaver('i-1'), leaver('i-2')] })).toEqual({ mayLeave: true });
  });

  it('is not that of the third in a group of two places, and it knows how many are ahead', () => {
    const waiting = [leaver('i-1'), leaver('i-2'), leaver('i-3'), leaver('i-4')];
    expect(ask('i-3', { waiting })).toEqual({ mayLeave: false, ahead: 0 });
    expect(ask('i-4', { waiting })).toEqual({ mayLeave: false, ahead: 1 });
  });

  it('stays with those that have begun', () => {
    const waiting = [leaver('i-1'), leaver('i-8'), leaver('i-9')];
    const begun = [leaver('i-8'), leaver('i-9')];
    expect(ask('i-9', { begun, waiting })).toEqual({ mayLeave: true });
    expect(ask('i-1', { begun, waiting })).toMatchObject({ mayLeave: false });
  });

  it('is bounded in the cluster too, and a full group does not hold up another', () => {
    const waiting = [leaver('i-1'), leaver('i-2'), leaver('i-3'), leaver('i-4', 'spot')];
    expect(ask('i-4', { waiting })).toEqual({ mayLeave: true });
    expect(ask('i-4', { waiting, maxInCluster: 2 })).toMatchObject({ mayLeave: false });
  });

  it('is decided alike by everyone: never more than the places, and never nobody', () => {
    const world = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 }),
      begunCount: fc.nat(5),
      maxInGroup: fc.integer({ min: 1, max: 6 }),
      maxInCluster: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(world, ({ ids, begunCount, maxInGroup, maxInCluster }) => {
        const waiting = ids.map((id) => leaver(`i-${id}`, `group-${id % 3}`));
        const begun = waiting.slice(0, Math.min(begunCount, maxInGroup, maxInCluster));
        const chosen = waiting.filter(
          (one) => ask(one.instanceId, { begun, waiting, maxInGroup, maxInCluster }).mayLeave,
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
