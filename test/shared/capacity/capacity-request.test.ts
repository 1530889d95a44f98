import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCapacity } from '../../../shared/capacity/capacity-request.ts';
import { groupWith } from './fixtures.ts';

const group = groupWith(['InService', 'InService'], { minSize: 1, maxSize: 5 });

describe('decideCapacity', () => {
  it.each([
    { to: 4, direction: 'out', reason: 'Auto Scaling launches 2 instances' },
    { to: 3, direction: 'out', reason: 'Auto Scaling launches 1 instance' },
    {
      to: 1,
      direction: 'in',
      reason: 'Auto Scaling chooses 1 instance to terminate; nodes are drained before they go',
    },
    { to: 2, direction: 'none', reason: 'the desired capacity is 2 already' },
  ])('accepts $to and explains the consequence', ({ to, direction, reason }) => {
    expect(decideCapacity(group, to)).toEqual({ kind: 'accepted', from: 2, to, direction, reason });
  });

  it.each([
    { to: 4, reason: 'Auto Scaling launches 2 units; the group suspends Launch' },
    { to: 3, reason: 'Auto Scaling launches 1 unit; the group suspends Launch' },
    {
      to: 1,
      reason:
        'Auto Scaling chooses 1 unit to terminate; nodes are drained before they go; the group suspends Terminate',
    },
  ])('mentions for $to that a process is suspended, and that the group counts units', ({ to, reason }) => {
    const suspended = { suspendedProcesses: ['Launch', 'Terminate'], countsUnits: true as const };
    expect(decideCapacity({ ...group, ...suspended }, to)).toMatchObject({ kind: 'accepted', reason });
  });

  it('accepts exactly the values from MinSize to MaxSize', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(40), (minSize, span, desired) => {
        const bounded = groupWith(['InService'], { minSize, maxSize: minSize + span });
        const isWithin = desired >= minSize && desired <= minSize + span;
        expect(decideCapacity(bounded, desired).kind).toBe(isWithin ? 'accepted' : 'refused');
      }),
    );
  });

  it('names the bounds in a refusal, and what raises the upper one', () => {
    const bounds = 'it must be from 1 to 5, the MinSize and MaxSize of the group';
    const refused = { kind: 'refused', cause: 'out-of-bounds' };
    expect(decideCapacity(group, 6)).toEqual({
      ...refused,
      reason: `${bounds}; with raiseMaxSize it may be larger`,
    });
    expect(decideCapacity(group, 0)).toEqual({ ...refused, reason: bounds });
  });

  it('raises MaxSize to the requested capacity, at most to maxSizeLimit', () => {
    expect(decideCapacity(group, 8, { maxSizeLimit: 10 })).toMatchObject({ to: 8, maxSize: 8 });
    expect(decideCapacity(group, 4, { maxSizeLimit: 10 })).not.toHaveProperty('maxSize');
    expect(decideCapacity(group, 5, { maxSizeLimit: 3 })).toMatchObject({ kind: 'accepted' });
    expect(decideCapacity(group, 11, { maxSizeLimit: 10 })).toEqual({
      kind: 'refused',
      cause: 'out-of-bounds',
      reason:
        'it must be from 1, the MinSize of the group, to 10, the parameter maxSizeLimit of the deployment',
    });
  });

  it('never changes the size of an etcd group, and accepts its current size', () => {
    const tags = { ...group.tags, 'drover.dev/role': 'etcd' };
    expect(decideCapacity({ ...group, tags }, 3)).toMatchObject({ kind: 'refused', cause: 'etcd' });
    expect(decideCapacity({ ...group, tags }, 2)).toMatchObject({ kind: 'accepted', direction: 'none' });
  });

  describe('with an active hold', () => {
    const hold = {
      autoScalingGroupName: 'workers',
      name: 'sale',
      nodes: 2,
      until: Date.parse('2026-11-27T22:00:00Z'),
      raiseMaxSize: false,
    };

    it('never makes the group smaller than the hold, and names it', () => {
      expect(decideCapacity(group, 1, { holds: [hold] })).toEqual({
        kind: 'refused',
        cause: 'held',
        reason: 'the hold sale keeps 2 nodes until 2026-11-27T22:00:00.000Z: end it first',
      });
    });

    it('accepts a capacity that is not smaller than the hold, and every larger one', () => {
      const large = groupWith(['InService', 'InService', 'InService'], { minSize: 1, maxSize: 5 });
      expect(decideCapacity(large, 2, { holds: [hold] }).kind).toBe('accepted');
      expect(decideCapacity(group, 3, { holds: [{ ...hold, nodes: 9 }] }).kind).toBe('accepted');
    });
  });
});
