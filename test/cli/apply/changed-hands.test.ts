import { describe, expect, it } from 'vitest';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';
import { apiOperatorOf } from '../through-scale-api.ts';
import { createApplyWorld, shop, stateOf } from './support.ts';

const parameter = '/drover/drover/holds/workers/sale';
const scheduleName = { GroupName: 'drover-drover', Name: 'office-hours' };

/** What another pipeline does between the plan and the prune. */
function takeOver({ account: { ssm, scheduler } }: DroverWorld, set: string): void {
  const marked = (text: string): string => text.replace('"set":"shop"', `"set":"${set}"`);
  const { Value = '' } = ssm.operations.GetParameter({ Name: parameter }).Parameter ?? {};
  const caller = { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/other' };
  ssm.operations.PutParameter({ Name: parameter, Value: marked(Value), Overwrite: true }, {
    principal: caller,
    requestId: 'x',
  } as never);
  const schedule = scheduler.operations.GetSchedule(scheduleName);
  scheduler.operations.UpdateSchedule({
    ...scheduleName,
    ScheduleExpression: schedule.ScheduleExpression,
    ScheduleExpressionTimezone: schedule.ScheduleExpressionTimezone,
    FlexibleTimeWindow: schedule.FlexibleTimeWindow,
    Target: { ...schedule.Target, Input: marked(schedule.Target?.Input ?? '') },
  } as never);
}

const prunesAll = `version: 1
set: shop
holds:
  - { autoScalingGroupName: workers, name: new, nodes: 1, until: "2026-01-06T00:00:00Z" }
schedules: []
`;

describe('drover apply --prune', () => {
  it.each(['directly', 'through the scale API'])(
    'leaves what belongs to another set since the plan was made, and says so, %s',
    async (way) => {
      const { world, files, drover, declare } = await createApplyWorld();
      await drover('apply -f drover.yaml');
      declare(prunesAll);
      const onOutput = (text: string): void => {
        if (text.startsWith('created hold new')) takeOver(world, 'other');
      };
      const options = { files, onOutput };
      const run =
        way === 'directly'
          ? operatorOf(world, options)('apply -f drover.yaml --prune')
          : apiOperatorOf(world, options).drover('apply -f drover.yaml --prune --api');
      expect(await run).toEqual({
        code: 0,
        out:
          'created hold new of workers\n' +
          'hold sale of workers: it does not belong to set shop any more since the plan was made, so it is left\n' +
          'schedule office-hours: it does not belong to set shop any more since the plan was made, so it is left\n' +
          '1 created, 2 left\n',
        err: '',
      });
      expect((await stateOf(drover)).map(({ name, set }) => [name, set])).toEqual([
        ['new', 'shop'],
        ['sale', 'other'],
        ['office-hours', 'other'],
      ]);
    },
  );

  it.each(['directly', 'through the scale API'])('ends a hold whose group was deleted, %s', async (way) => {
    const { world, drover, overApi, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    world.account.autoScaling.operations.DeleteAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      ForceDelete: true,
    });
    await world.timeline.until(
      () => world.account.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups.length === 0,
      { withinSeconds: 3600, what: 'the group is gone' },
    );
    declare(shop.replace(/holds:[\s\S]*$/, 'holds: []\n'));
    const line = 'apply -f drover.yaml --prune';
    expect(await (way === 'directly' ? drover(line) : overApi(`${line} --api`))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ended hold sale of workers.*\n.*office-hours.*\n2 pruned\n$/),
    });
  });

  const deletions = {
    hold: ({ account }: DroverWorld) => account.ssm.operations.DeleteParameter({ Name: parameter }),
    schedule: ({ account }: DroverWorld) => account.scheduler.operations.DeleteSchedule(scheduleName),
  };

  it.each([
    ['hold', 'directly'],
    ['hold', 'through the scale API'],
    ['schedule', 'directly'],
    ['schedule', 'through the scale API'],
  ] as const)('counts a %s that is gone meanwhile as pruned, %s', async (kind, way) => {
    const { world, files, drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare(prunesAll);
    const onOutput = (text: string): void => {
      if (text.startsWith('created hold new')) deletions[kind](world);
    };
    const options = { files, onOutput };
    const run =
      way === 'directly'
        ? operatorOf(world, options)('apply -f drover.yaml --prune')
        : apiOperatorOf(world, options).drover('apply -f drover.yaml --prune --api');
    expect(await run).toMatchObject({ code: 0, out: expect.stringMatching(/1 created, 2 pruned\n$/) });
  });
});
