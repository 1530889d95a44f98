import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScheduledActions } from '../../../shared/aws/scheduled-actions.ts';
import type { Hold, HoldReading } from '../../../shared/capacity/holds/hold.ts';
import type { ScheduledAction } from '../../../shared/groups/scheduled-action.ts';
import {
  judgeActions,
  scheduledActionLine,
  scheduledActionProblems,
} from '../../../shared/problems/scheduled-actions.ts';
import { group, holdOf, hour, known, start } from '../capacity/holds/fixtures.ts';
import { schedule } from '../capacity/schedules/support.ts';

const size = () => fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined });
const sizes = () => fc.record({ minSize: size(), maxSize: size(), desiredCapacity: size() });

const actionWith = (
  {
    minSize,
    maxSize,
    desiredCapacity,
  }: Partial<Record<'minSize' | 'maxSize' | 'desiredCapacity', number | undefined>>,
  parts: Partial<ScheduledAction> = {},
): ScheduledAction => ({
  autoScalingGroupName: 'workers',
  name: 'night',
  nextAt: start + hour / 2,
  ...(minSize !== undefined && { minSize }),
  ...(maxSize !== undefined && { maxSize }),
  ...(desiredCapacity !== undefined && { desiredCapacity }),
  ...parts,
});

/** Six nodes are held for an hour; MinSize is two without the hold. */
const held = {
  holds: new Map([['workers', { holds: [holdOf()], record: known() }]]),
  schedules: [],
  maxSizeLimit: 100,
};
const managed = [group({ minSize: 6, desiredCapacity: 6 })];
const judge = (action: ScheduledAction, at = start) => {
  const [judged] = judgeActions([action], { managed, held, at });
  if (judged === undefined) throw new Error('the action is not judged');
  return judged;
};

it('an action that asks for more than the hold, or runs after it, never works against it', () => {
  fc.assert(
    fc.property(sizes(), fc.boolean(), (asked, isLater) => {
      const { minSize = 7, maxSize = 7, desiredCapacity = 7 } = asked;
      if (isLater) expect(judge(actionWith(asked, { nextAt: start + 2 * hour })).verdict).toBe('none');
      else if (Math.min(minSize, maxSize, desiredCapacity) > 6)
        expect(judge(actionWith(asked)).verdict).toBe('none');
    }),
  );
});

it('an action that sets MinSize, and a size below the hold, is a problem with the numbers of both', () => {
  fc.assert(
    fc.property(sizes(), ({ minSize = 0, maxSize, desiredCapacity }) => {
      const judged = judge(actionWith({ minSize, maxSize, desiredCapacity }));
      const isBelow = Math.min(maxSize ?? 6, desiredCapacity ?? 6) < 6;
      expect(judged.verdict === 'conflict').toBe(isBelow || minSize === 6);
      const [problem] = scheduledActionProblems([judged]);
      if (isBelow) expect(problem?.message).toMatch(/hold morning keeps 6 nodes until 2026-11-23T09:00:00Z/);
    }),
  );
});

it('a group name that AWS allows is one word of the command', () => {
  const named = group({ autoScalingGroupName: "it's $(x)", tags: { 'drover.dev/role': 'etcd' } });
  const action = actionWith({ minSize: 1 }, { autoScalingGroupName: "it's $(x)" });
  const [problem] = scheduledActionProblems(judgeActions([action], { managed: [named], held, at: start }));
  expect(problem?.command).toContain(`'it'\\''s $(x)'`);
});

it('actions are shown, and called unclear, while the holds could not be read', () => {
  const [judged] = judgeActions([actionWith({ minSize: 0, maxSize: 0 })], {
    managed,
    held: undefined,
    at: start,
  });
  expect(judged && scheduledActionLine(judged)).toEqual({
    name: 'night',
    autoScalingGroupName: 'workers',
    nextAt: '2026-11-23T08:30:00.000Z',
    recurrence: null,
    timeZone: null,
    minSize: 0,
    maxSize: 0,
    desiredCapacity: null,
    verdict: 'unclear',
    reason: 'the holds and schedules could not be read, so it may work against one',
  });
  expect(judged && scheduledActionProblems([judged])).toEqual([]);
});

it('an action whose next run AWS does not report is unclear beside holds', () => {
  expect(judge(actionWith({ minSize: 0, maxSize: 0 }, { nextAt: undefined }))).toMatchObject({
    verdict: 'unclear',
    reason: 'AWS does not report when it runs next',
  });
});

it('an action at the moment at which a hold ends is not judged by it, and one a moment before is', () => {
  const off = { minSize: 0, maxSize: 0 };
  expect(judge(actionWith(off, { nextAt: start + hour })).verdict).toBe('none');
  expect(judge(actionWith(off, { nextAt: start + hour - 1 })).verdict).toBe('conflict');
});

it('the largest of several holds judges, and a MaxSize that Drover may not raise brings no other nodes', () => {
  const holds = [3, 6, 4].map((nodes) => holdOf({ nodes, name: `h${nodes}`, raiseMaxSize: true }));
  const reasonWith = (maxSizeLimit: number) =>
    judgeActions([actionWith({ minSize: 3, maxSize: 5 })], {
      managed,
      held: { holds: new Map([['workers', { holds, record: known() }]]), schedules: [], maxSizeLimit },
      at: start,
    })[0]?.reason;
  expect(reasonWith(100)).toMatch(
    /^hold h6 keeps 6 nodes .*launches others once it has raised MaxSize again$/,
  );
  expect(reasonWith(5)).toMatch(/^hold h6 keeps 6 nodes .*the hold gets no others$/);
});

it('the base of the record, not the MinSize that the hold has raised, is what the action must differ from', () => {
  const based = (base: number) => ({
    ...held,
    holds: new Map([['workers', { holds: [holdOf()], record: known({ minSize: { base, ours: [] } }) }]]),
  });
  const verdict = (base: number) =>
    judgeActions([actionWith({ minSize: 6 })], { managed, held: based(base), at: start })[0]?.verdict;
  expect([verdict(2), verdict(6)]).toEqual(['conflict', 'none']);
});

describe('the hold of a schedule, from 8:00 to 10:00, with a lead of ten minutes', () => {
  const verdictAt = (
    time: string,
    given: Parameters<typeof schedule>[0] = {},
    {
      asked = {},
      holds = [],
    }: { readonly asked?: Parameters<typeof schedule>[1]; readonly holds?: readonly HoldReading[] } = {},
  ) => {
    const nextAt = Date.parse(`2026-11-24T${time}:00Z`);
    const schedules = [{ kind: 'schedule', schedule: schedule(given, asked) } as const];
    const known = { holds: new Map([['workers', { holds, record: none }]]), schedules, maxSizeLimit: 100 };
    const off = actionWith({ minSize: 0, maxSize: 0 }, { nextAt });
    return judgeActions([off], { managed, held: known, at: start })[0]?.verdict;
  };
  const none = { kind: 'none' } as const;

  it.each([
    ['07:49', 'none'],
    ['07:50', 'conflict'],
    ['08:00', 'conflict'],
    ['09:59', 'conflict'],
    ['10:00', 'none'],
  ])('judges an action at %s: %s', (time, verdict) => {
    expect(verdictAt(time)).toBe(verdict);
  });

  it('judges by ten minutes where the lead is measured', () => {
    expect(verdictAt('07:50', {}, { asked: { lead: 'measured' } })).toBe('conflict');
    expect(verdictAt('07:49', {}, { asked: { lead: 'measured' } })).toBe('none');
  });

  it('judges nothing if it is paused, of another group, excepted on that day, or makes no holds', () => {
    expect(verdictAt('09:00', { enabled: false })).toBe('none');
    expect(verdictAt('09:00', {}, { asked: { autoScalingGroupName: 'spare' } })).toBe('none');
    expect(verdictAt('09:00', {}, { asked: { exceptions: ['2026-11-24'] } })).toBe('none');
    expect(verdictAt('09:00', { expression: 'cron(0/1 * * * ? *)' })).toBe('none');
  });

  it('judges nothing once the hold of that day was ended, because the schedule does not make it again', () => {
    const made = (changes: Partial<Hold>) =>
      holdOf({ name: 'office-hours.20261124T0800Z', nodes: 5, until: start + 26 * hour, ...changes });
    expect(verdictAt('09:00', {}, { holds: [made({})] })).toBe('conflict');
    expect(verdictAt('09:00', {}, { holds: [made({ endedAt: start })] })).toBe('none');
  });
});

it('a hold that was ended or cannot be read, and a group with weights, are not judged by', () => {
  const ended = {
    ...held,
    holds: new Map([['workers', { holds: [holdOf({ endedAt: start })], record: known() }]]),
  };
  const off = actionWith({ minSize: 0, maxSize: 0 });
  expect(judgeActions([off], { managed, held: ended, at: start })).toMatchObject([{ verdict: 'none' }]);
  const weighted = [group({ countsUnits: true })];
  expect(judgeActions([off], { managed: weighted, held, at: start })).toMatchObject([{ verdict: 'none' }]);
});

it('the next action is the first, and one whose time is unknown the last', () => {
  const times = [start + 2 * hour, undefined, start + hour];
  const actions = times.map((nextAt, index) => actionWith({ minSize: 9 }, { nextAt, name: `a${index}` }));
  const judged = judgeActions(actions, { managed, held, at: start });
  expect(judged.map(({ action: { name } }) => name)).toEqual(['a2', 'a0', 'a1']);
});

it('scheduled actions are read page by page, with what AWS leaves out left out', async () => {
  const asked: unknown[] = [];
  const pages = [
    { ScheduledUpdateGroupActions: [{ AutoScalingGroupName: 'workers', MinSize: 0 }], NextToken: 'more' },
    {
      ScheduledUpdateGroupActions: [
        { ScheduledActionName: 'night', Time: new Date(start), TimeZone: 'UTC' },
        { ScheduledActionName: 'day', Time: new Date(start), StartTime: new Date(start + hour) },
      ],
    },
  ];
  const client = {
    send: ({ input }: { readonly input: unknown }) => {
      asked.push(input);
      return Promise.resolve({ $metadata: {}, ...pages[asked.length - 1] });
    },
  } as unknown as AutoScalingClient;
  expect(await readScheduledActions(client)).toEqual([
    { autoScalingGroupName: 'workers', name: '', nextAt: undefined, minSize: 0 },
    { autoScalingGroupName: '', name: 'night', nextAt: start, timeZone: 'UTC' },
    { autoScalingGroupName: '', name: 'day', nextAt: start + hour },
  ]);
  expect(asked).toMatchObject([{ MaxRecords: 100 }, { NextToken: 'more' }]);
  const empty = { send: () => Promise.resolve({ $metadata: {} }) } as unknown as AutoScalingClient;
  await expect(readScheduledActions(empty)).rejects.toThrow('ScheduledUpdateGroupActions');
});
