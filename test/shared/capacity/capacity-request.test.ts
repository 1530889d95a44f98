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

  it('says how many instances are protected if they leave too few to choose from', () => {
    const three = groupWith(['InService', 'InService', 'InService']);
    const protecting = (...places: readonly number[]) => ({
      ...three,
      instances: three.instances.map((instance, place) =>
        places.includes(place) ? { ...instance, protectedFromScaleIn: true } : instance,
      ),
    });
    const drained = 'nodes are drained before they go';
    const reasonOf = (places: readonly number[], to: number) =>
      decideCapacity(protecting(...places), to).reason;
    expect(reasonOf([0], 1)).toBe(`Auto Scaling chooses 2 instances to terminate; ${drained}`);
    expect(reasonOf([0, 1], 1)).toBe(
      `Auto Scaling chooses 2 instances to terminate; ${drained}; 2 instances are protected from scale-in, so it chooses 1 instance at most until the protection is removed`,
    );
    expect(reasonOf([0, 1, 2], 2)).toContain(
      '; 3 instances are protected from scale-in, so it chooses none until',
    );
    expect(reasonOf([0], 0)).toContain(
      '; 1 instance is protected from scale-in, so it chooses 2 instances at most',
    );
  });

  it('promises no launch of instances that an earlier scale-in could not terminate', () => {
    const four = ['InService', 'InService', 'InService', 'Pending:Wait', 'Terminating:Wait'];
    const reasonOf = (to: number) => decideCapacity(groupWith(four, { desiredCapacity: 2 }), to).reason;
    expect(reasonOf(4)).toBe('Auto Scaling launches nothing: the group has 4 instances already');
    expect(reasonOf(3)).toBe('Auto Scaling launches nothing: the group has 4 instances already');
    expect(reasonOf(6)).toBe('Auto Scaling launches 2 instances');
  });

  it('never promises more launches than the group lacks, or more terminations than protection leaves', () => {
    const state = fc.constantFrom('InService', 'Pending', 'Terminating:Wait', 'Standby');
    const members = fc.array(fc.tuple(state, fc.boolean()), { maxLength: 9 });
    fc.assert(
      fc.property(members, fc.nat(10), fc.nat(10), (drawn, desiredCapacity, to) => {
        const drawnGroup = groupWith(
          drawn.map(([each]) => each),
          { desiredCapacity },
        );
        const instances = drawnGroup.instances.map((instance, place) => ({
          ...instance,
          ...(drawn[place]?.[1] && { protectedFromScaleIn: true }),
        }));
        const { reason } = decideCapacity({ ...drawnGroup, instances }, to);
        const present = drawn.filter(([each]) => /InService|Pending/.test(each));
        const launches = Number(/launches (\d+)/.exec(reason)?.[1] ?? 0);
        expect(launches).toBeLessThanOrEqual(Math.max(0, to - present.length));
        const free = present.filter(([, isProtected]) => !isProtected).length;
        const names = /(\d+) instances? (?:is|are) protected/.exec(reason)?.[1];
        if (to < desiredCapacity && free < desiredCapacity - to && free < present.length)
          expect(Number(names)).toBe(present.length - free);
        else expect(names).toBeUndefined();
      }),
    );
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
