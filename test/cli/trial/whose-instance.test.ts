import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchedIn } from '../../../cli/trial/hold-step.ts';
import type { TrialRecord } from '../../../cli/trial/record.ts';
import { StepFailure } from '../../../cli/trial/wait.ts';
import { type ClaimFacts, claimIn } from '../../../cli/trial/whose-instance.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-30T08:00:00Z');
const hourMilliseconds = 3_600_000;
const idOf = (number: number): string => `i-${number.toString(16).padStart(8, '0')}`;

const recordOf = (more: Partial<TrialRecord> = {}): TrialRecord => ({
  cluster: 'prod',
  group: 'workers',
  startedAt: new Date(startedAt).toISOString(),
  desiredCapacity: 2,
  instanceIds: [idOf(1), idOf(2)],
  heldAt: new Date(startedAt).toISOString(),
  ...more,
});

const groupWith = (
  newcomers: Readonly<Record<string, string>>,
  more: Partial<AutoScalingGroup> = {},
): AutoScalingGroup => ({
  ...groupOf({ [idOf(1)]: 'InService', [idOf(2)]: 'InService', ...newcomers }),
  desiredCapacity: 3,
  minSize: 2,
  ...more,
});

const states = ['Pending', 'Pending:Wait', 'InService', 'Terminating:Wait', 'Terminated', 'Standby'];

const grounds = fc.record({
  states: fc.array(fc.constantFrom(...states), { maxLength: 4 }),
  desiredCapacity: fc.integer({ min: 2, max: 6 }),
  minSize: fc.constantFrom(1, 2, 3),
  recorded: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  isHeld: fc.boolean(),
  isSent: fc.boolean(),
  isOwnRun: fc.boolean(),
  isTerminated: fc.boolean(),
  hours: fc.integer({ min: 0, max: 2 }),
});

const claim = (facts: Partial<ClaimFacts>) =>
  claimIn({
    group: groupWith({}),
    record: recordOf(),
    isOwnRun: false,
    isTerminated: false,
    now: startedAt,
    ...facts,
  });

describe('a clean-up', () => {
  it('takes no instance that was there before, none that leaves, and of several new ones only the recorded one', () => {
    fc.assert(
      fc.property(grounds, ({ states: found, desiredCapacity, minSize, recorded, hours, ...ground }) => {
        const newcomers = Object.fromEntries(found.map((state, index) => [idOf(index + 3), state]));
        const { heldAt, ...unheld } = recordOf();
        const record = {
          ...unheld,
          ...(ground.isHeld && { heldAt }),
          ...(recorded !== undefined && recorded > 2 && { instanceId: idOf(recorded) }),
          ...(ground.isSent && { terminatingSince: new Date(startedAt).toISOString() }),
        } as TrialRecord;
        const { isOwnRun, isTerminated } = ground;
        const group = groupWith(newcomers, { desiredCapacity, minSize });
        const now = startedAt + hours * hourMilliseconds;
        try {
          const verdict = claimIn({ group, record, isOwnRun, isTerminated, now });
          if ('waits' in verdict || verdict.done.kind === 'none') return;
          const { kind, instanceId } = verdict.done;
          expect(record.instanceIds).not.toContain(instanceId);
          expect(newcomers[instanceId]).not.toMatch(/Terminat/);
          expect(kind).toBe(desiredCapacity > 2 ? 'extra' : 'member');
          if (instanceId === record.instanceId) return;
          const staying = found.filter((state) => !state.startsWith('Terminat'));
          expect({
            staying: staying.length,
            desiredCapacity,
            isHeld: ground.isHeld,
            isSent: ground.isSent,
            isTerminated,
            isTimely: isOwnRun || hours === 0,
            isRaised: minSize === 3 || record.instanceId !== undefined,
          }).toEqual({
            staying: 1,
            desiredCapacity: 3,
            isHeld: true,
            isSent: false,
            isTerminated: false,
            isTimely: true,
            isRaised: true,
          });
        } catch (error) {
          if (!(error instanceof StepFailure)) throw error;
        }
      }),
    );
  });

  const taken = (instanceId: string, kind = 'extra') => ({ done: { kind, instanceId } });
  const none = { done: { kind: 'none' } };

  it('takes what Auto Scaling has launched instead of the recorded instance', () => {
    const record = recordOf({ instanceId: idOf(3) });
    const group = groupWith({ [idOf(3)]: 'Terminating:Proceed', [idOf(4)]: 'Pending' });
    expect(claim({ record, group })).toEqual(taken(idOf(4)));
  });

  it('takes what was launched while the hold kept MinSize up, although it could not be recorded', () => {
    const newcomer = { [idOf(3)]: 'Pending' };
    expect(claim({ group: groupWith(newcomer, { minSize: 3 }) })).toEqual(taken(idOf(3)));
    expect(() => claim({ group: groupWith(newcomer) })).toThrow('is unknown');
  });

  it('finds that the recorded instance serves in a group that is not larger than before, because another one has left', () => {
    const group = groupWith({ [idOf(3)]: 'InService' }, { desiredCapacity: 2 });
    expect(claim({ record: recordOf({ instanceId: idOf(3) }), group })).toEqual(taken(idOf(3), 'member'));
  });

  it('takes nothing of a trial that has made no hold, or whose instance was terminated', () => {
    const group = groupWith({ [idOf(4)]: 'InService' }, { minSize: 3 });
    const { heldAt: _, ...unheld } = recordOf();
    expect(claim({ record: unheld, group })).toEqual(none);
    expect(claim({ record: recordOf({ instanceId: idOf(3) }), group, isTerminated: true })).toEqual(none);
  });

  it('waits while nothing has been launched, and leaves a new instance of a later time to its owner', () => {
    expect(claim({})).toEqual({
      waits: 'the desired capacity is 3, and was 2, and Auto Scaling has launched no instance yet',
    });
    const record = recordOf({ instanceId: idOf(3) });
    const group = groupWith({ [idOf(4)]: 'InService' });
    const now = startedAt + hourMilliseconds;
    expect(() => claim({ record, group, now })).toThrow('is unknown');
  });
});

describe('the instance of a hold', () => {
  const judge = (group: AutoScalingGroup) => launchedIn(group, { record: () => recordOf() });

  it('is the new one, once MinSize is raised', () => {
    expect(judge(groupWith({ [idOf(3)]: 'Pending' }, { minSize: 3 }))).toEqual({ done: idOf(3) });
    expect(judge(groupWith({}, { minSize: 3 }))).toEqual({
      waits: 'MinSize is 3, and Auto Scaling launches an instance',
    });
    expect(judge(groupWith({}, { desiredCapacity: 2 }))).toEqual({
      waits: 'MinSize is 2, and prewarm raises it to 3 within a minute',
    });
  });

  it.each([
    ['a new instance before MinSize is raised', groupWith({ [idOf(3)]: 'Pending' }, { desiredCapacity: 2 })],
    ['a larger size before MinSize is raised', groupWith({})],
    ['two new instances', groupWith({ [idOf(3)]: 'Pending', [idOf(4)]: 'Pending' }, { minSize: 3 })],
    [
      'a size that the hold did not ask for',
      groupWith({ [idOf(3)]: 'Pending' }, { minSize: 3, desiredCapacity: 4 }),
    ],
  ])('is unknown with %s', (_, group) => {
    expect(() => judge(group)).toThrow('something else scales the group');
  });
});
