import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimIn } from '../../../cli/trial/clean-up.ts';
import { launchedIn } from '../../../cli/trial/hold-step.ts';
import type { TrialRecord } from '../../../cli/trial/record.ts';
import { StepFailure } from '../../../cli/trial/wait.ts';
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
  desiredCapacity: fc.integer({ min: 3, max: 6 }),
  recorded: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  isSent: fc.boolean(),
  hours: fc.integer({ min: 0, max: 3 }),
});

describe('a clean-up', () => {
  it('takes no instance that was there before, none that leaves, and of several new ones only the recorded one', () => {
    fc.assert(
      fc.property(grounds, ({ states: found, desiredCapacity, recorded, isSent, hours }) => {
        const newcomers = Object.fromEntries(found.map((state, index) => [idOf(index + 3), state]));
        const record = recordOf({
          ...(recorded !== undefined && recorded > 2 && { instanceId: idOf(recorded) }),
          ...(isSent && { terminatingSince: new Date(startedAt).toISOString() }),
        });
        const group = groupWith(newcomers, { desiredCapacity });
        try {
          const verdict = claimIn(group, record, startedAt + hours * hourMilliseconds);
          const claimed = 'done' in verdict ? verdict.done : undefined;
          if (claimed === undefined) return;
          expect(record.instanceIds).not.toContain(claimed);
          expect(newcomers[claimed]).not.toMatch(/Terminat/);
          if (claimed === record.instanceId) return;
          const staying = found.filter((state) => !state.startsWith('Terminat'));
          expect({ staying: staying.length, desiredCapacity, isSent, isLate: hours > 1 }).toEqual({
            staying: 1,
            desiredCapacity: 3,
            isSent: false,
            isLate: false,
          });
        } catch (error) {
          if (!(error instanceof StepFailure)) throw error;
        }
      }),
    );
  });

  it('takes what Auto Scaling has launched in the place of the recorded instance', () => {
    const record = recordOf({ instanceId: idOf(3) });
    const group = groupWith({ [idOf(3)]: 'Terminating:Proceed', [idOf(4)]: 'Pending' });
    expect(claimIn(group, record, startedAt)).toEqual({ done: idOf(4) });
  });

  it('waits while nothing has been launched, and leaves a new instance of a later time to its owner', () => {
    expect(claimIn(groupWith({}), recordOf(), startedAt)).toEqual({
      waits: 'the desired capacity is 3, and was 2, and Auto Scaling has launched no instance yet',
    });
    expect(() =>
      claimIn(groupWith({ [idOf(3)]: 'InService' }), recordOf(), startedAt + 2 * hourMilliseconds),
    ).toThrow('whether an instance was launched for the trial is unknown');
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
