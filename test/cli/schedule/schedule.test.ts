import { describe, expect, it } from 'vitest';
import { operatorOf } from '../operator.ts';
import { createScheduleWorld, groupName, officeHours } from './support.ts';

describe('drover schedule list', () => {
  it('lists the schedules with their next times, and those that cannot be read', async () => {
    const { drover, operations } = await createScheduleWorld();
    await drover(officeHours());
    await drover('schedule create workers 3 --name night --at 2026-01-09T20:00:00 --for 2h');
    await drover('schedule pause night');
    operations.CreateSchedule({
      GroupName: groupName,
      Name: 'by-hand',
      ScheduleExpression: 'rate(1 hour)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: 'arn:aws:lambda:eu-west-1:123456789012:function:x',
        RoleArn: 'arn:aws:iam::123456789012:role/x',
      },
    });
    const { code, out } = await drover('schedule list');
    expect(code).toBe(0);
    expect(out).toMatch(/^NAME +GROUP +NODES +FOR +WHEN +TIME ZONE +LEAD +NEXT\n/);
    expect(out).toMatch(
      /\noffice-hours +workers +5 +10h +cron\(0 8 \? \* MON-FRI \*\) +Europe\/Berlin +10m +2026-01-06T07:00:00Z\n/,
    );
    expect(out).toMatch(/\nnight +workers +3 +2h +at\(2026-01-09T20:00:00\) +UTC +measured +paused\n/);
    expect(out).toMatch(/\n\nby-hand makes no holds: Drover does not know when rate\(1 hour\) runs/);
    const json = JSON.parse((await drover('schedule list --json')).out);
    expect(json).toMatchObject([
      { name: 'by-hand', problem: expect.stringContaining('rate(1 hour)') },
      { name: 'night', paused: true, next: null },
      { name: 'office-hours', nodes: 5, lead: 600, paused: false, next: '2026-01-06T07:00:00Z' },
    ]);
  });

  it('reports that there are no schedules', async () => {
    const { drover } = await createScheduleWorld();
    expect(await drover('schedule list')).toMatchObject({ code: 0, out: 'no schedules\n' });
    expect(await drover('schedule list --json')).toMatchObject({ code: 0, out: '[]\n' });
    expect(await drover('schedule list -o name')).toMatchObject({ code: 0, out: '' });
  });

  it('names the missing group of a schedule', async () => {
    const { world, drover } = await createScheduleWorld();
    await drover('schedule create workers 2 --name noon --at 2026-02-01T12:00:00 --for 1h'.split(' '));
    world.account.autoScaling.operations.DeleteAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      ForceDelete: true,
    });
    const problem = 'there is no managed group workers, so its holds bring no nodes';
    const isThere = () =>
      world.account.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups?.length !== 0;
    await world.timeline.until(() => !isThere(), { withinSeconds: 3600, what: 'the deletion' });
    expect((await drover('schedule list')).out).toContain(`\nnoon: ${problem}\n`);
    expect(JSON.parse((await drover('schedule list --json')).out)).toMatchObject([{ name: 'noon', problem }]);
    expect(await drover('schedule preview noon')).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`\n\n${problem}\n$`)),
    });
    expect(JSON.parse((await drover('schedule preview noon --json')).out)).toMatchObject({ problem });
  });

  it('are listed and previewed although the groups cannot be read', async () => {
    const actions = [
      'scheduler:ListSchedules',
      'scheduler:GetSchedule',
      'autoscaling:DescribeScalingActivities',
    ];
    const made = await createScheduleWorld();
    await made.drover('schedule create workers 2 --name noon --at 2026-02-01T12:00:00 --for 1h'.split(' '));
    const drover = operatorOf(made.world, { actions });
    for (const line of ['schedule list', 'schedule preview noon']) {
      const { code, out } = await drover(line);
      expect([code, out], line).toEqual([
        0,
        expect.stringMatching(
          /whether there is a managed group workers is unknown: .*DescribeAutoScalingGroups/,
        ),
      ]);
    }
  });

  it('needs only the rights to read', async () => {
    const actions = [
      'scheduler:ListSchedules',
      'scheduler:GetSchedule',
      'autoscaling:DescribeAutoScalingGroups',
    ];
    const { drover } = await createScheduleWorld({ actions });
    expect(await drover('schedule list')).toMatchObject({ code: 0, err: '' });
  });
});

describe('drover schedule preview', () => {
  it('shows when holds are created, and which times are skipped', async () => {
    const { drover } = await createScheduleWorld();
    const line = [
      'schedule',
      'create',
      'night',
      'workers',
      '3',
      '--cron',
      '30 2 ? MAR SUN 2026',
      '--for',
      '2h',
    ];
    await drover([...line, '--time-zone', 'Europe/Berlin', '--lead', '10m', '--except', '2026-03-22']);
    const { code, out } = await drover('schedule preview night --count 5');
    expect(code).toBe(0);
    expect(out).toMatch(/\nLOCAL TIME +HOLD MADE +NODES READY +HOLD ENDS\n/);
    expect(out).toMatch(
      /\n2026-03-15T02:30:00 +2026-03-15T01:20:00Z +2026-03-15T01:30:00Z +2026-03-15T03:30:00Z\n/,
    );
    expect(out).toMatch(/\n2026-03-22T02:30:00 +never: an exception +- +-\n/);
    expect(out).toMatch(/\n2026-03-29T02:30:00 +never: clocks skip this time +- +-\n$/);
    const { occurrences } = JSON.parse((await drover('schedule preview night --json')).out);
    expect(occurrences.map(({ kind }: { readonly kind: string }) => kind)).toEqual([
      'hold',
      'hold',
      'hold',
      'exception',
      'left-out',
    ]);
    expect(
      JSON.parse((await drover('schedule preview night --json --count 1')).out).occurrences,
    ).toHaveLength(1);
  });

  it('fails for a schedule that does not exist, and for one that cannot be read', async () => {
    const { drover, operations } = await createScheduleWorld();
    expect(await drover('schedule preview other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no schedule other in schedule group drover-drover'),
    });
    await drover(officeHours());
    const { Target, ...schedule } = operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' });
    operations.UpdateSchedule({
      Name: schedule.Name,
      GroupName: groupName,
      ScheduleExpression: schedule.ScheduleExpression,
      FlexibleTimeWindow: schedule.FlexibleTimeWindow,
      Target: { Arn: Target?.Arn, RoleArn: Target?.RoleArn, Input: '{}' },
    });
    expect((await drover('schedule preview office-hours')).err).toContain('the input of its target');
  });

  it.each(['0', '1001', 'many'])('refuses to show %s times', async (count) => {
    const { drover } = await createScheduleWorld();
    expect(await drover(`schedule preview office-hours --count ${count}`)).toMatchObject({ code: 2 });
  });
});

describe('drover schedule pause, resume and delete', () => {
  it('change the schedule, and print that', async () => {
    const { drover, operations } = await createScheduleWorld();
    await drover(officeHours());
    const before = operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' });
    const { LastModificationDate: _modified, State: _state, ...kept } = before;
    const state = () => operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' }).State;
    expect((await drover('schedule pause office-hours --dry-run')).out).toBe(
      'would pause schedule office-hours\n',
    );
    expect(state()).toBe('ENABLED');
    expect((await drover('schedule pause office-hours')).out).toBe(
      'paused schedule office-hours\nexisting holds of it last until their ends: drover hold list workers\n',
    );
    expect(operations.GetSchedule({ GroupName: groupName, Name: 'office-hours' })).toMatchObject({
      ...kept,
      State: 'DISABLED',
    });
    expect((await drover('schedule pause office-hours')).out).toBe(
      'schedule office-hours is already paused\n',
    );
    expect((await drover('schedule resume office-hours')).out).toBe('resumed schedule office-hours\n');
    expect(state()).toBe('ENABLED');
    expect(JSON.parse((await drover('schedule resume office-hours --json')).out)).toEqual({
      name: 'office-hours',
      change: 'unchanged',
      dryRun: false,
    });
    expect((await drover('schedule delete office-hours --dry-run')).out).toBe(
      'would delete schedule office-hours\n',
    );
    expect((await drover('schedule delete office-hours')).out).toBe(
      'deleted schedule office-hours\nexisting holds of it last until their ends: drover hold list workers\n',
    );
    expect(operations.ListSchedules({ GroupName: groupName }).Schedules).toEqual([]);
  });

  it.each(['pause', 'resume', 'delete'])('%s fails for a schedule that does not exist', async (change) => {
    const { drover } = await createScheduleWorld();
    expect(await drover(`schedule ${change} other`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no schedule other'),
    });
  });
});
