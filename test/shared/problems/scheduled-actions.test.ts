import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readScheduledActions } from '../../../shared/aws/scheduled-actions.ts';
import type { ScheduledAction } from '../../../shared/groups/scheduled-action.ts';
import {
  judgeActions,
  scheduledActionLine,
  scheduledActionProblems,
} from '../../../shared/problems/scheduled-actions.ts';
import { group, holdOf, hour, known, start } from '../capacity/holds/fixtures.ts';

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

it('without holds, or with those that could not be read, actions are shown and not judged', () => {
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
    verdict: 'none',
    reason: '',
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
      ScheduledUpdateGroupActions: [{ ScheduledActionName: 'night', Time: new Date(start), TimeZone: 'UTC' }],
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
  ]);
  expect(asked).toMatchObject([{ MaxRecords: 100 }, { NextToken: 'more' }]);
  const empty = { send: () => Promise.resolve({ $metadata: {} }) } as unknown as AutoScalingClient;
  await expect(readScheduledActions(empty)).rejects.toThrow('ScheduledUpdateGroupActions');
});
