import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUnixCron } from '../../../src/aws/auto-scaling/unix-cron.ts';
import { nextCron } from '../../../src/aws/events/cron.ts';
import { createCloud, createGroup, groupOf } from '../support/cloud.ts';

const group = { AutoScalingGroupName: 'workers' };

function withGroup(settings: Parameters<typeof createGroup>[1] = {}) {
  const cloud = createCloud();
  createGroup(cloud, settings);
  const { operations } = cloud.autoScaling;
  const inSeconds = (seconds: number): Date => new Date(cloud.clock.now() + seconds * 1000);
  const put = (action: Partial<Parameters<typeof operations.PutScheduledUpdateGroupAction>[0]>) =>
    operations.PutScheduledUpdateGroupAction({ ...group, ScheduledActionName: 'night', ...action });
  const described = () => operations.DescribeScheduledActions({}).ScheduledUpdateGroupActions;
  return { cloud, operations, inSeconds, put, described };
}

const hour = 3600;

describe('a scheduled action of Auto Scaling', () => {
  test('sets the sizes at its time, once, and is gone afterwards', () => {
    const { cloud, inSeconds, put, described } = withGroup();
    put({ StartTime: inSeconds(hour), MinSize: 2, MaxSize: 6, DesiredCapacity: 3 });
    cloud.advance(hour - 10);
    expect(groupOf(cloud)).toMatchObject({ MinSize: 0, DesiredCapacity: 1 });
    cloud.advance(120);
    expect(groupOf(cloud)).toMatchObject({ MinSize: 2, MaxSize: 6, DesiredCapacity: 3 });
    expect(groupOf(cloud).Instances).toHaveLength(3);
    expect(described()).toEqual([]);
  });

  test('moves a desired capacity that it does not set into its bounds', () => {
    const { cloud, inSeconds, put } = withGroup({ DesiredCapacity: 5 });
    put({ StartTime: inSeconds(60), MaxSize: 2 });
    cloud.advance(60);
    expect(groupOf(cloud)).toMatchObject({ MinSize: 0, MaxSize: 2, DesiredCapacity: 2 });
  });

  test('changes nothing if its desired capacity is outside the bounds that the group has then', () => {
    const { cloud, inSeconds, put } = withGroup({ MinSize: 4, DesiredCapacity: 4 });
    put({ StartTime: inSeconds(60), DesiredCapacity: 1 });
    cloud.advance(120);
    expect(groupOf(cloud)).toMatchObject({ MinSize: 4, DesiredCapacity: 4 });
  });

  test('recurs on the clocks of its time zone, across a change of them', () => {
    const { cloud, put, described } = withGroup();
    put({ Recurrence: '0 19 * * *', TimeZone: 'Australia/Melbourne', MinSize: 1 });
    const first = described()[0]?.StartTime?.getTime() ?? 0;
    const hours = new Set<number>();
    for (let day = 0; day < 300; day++) {
      cloud.clock.moveTo(described()[0]?.StartTime?.getTime() ?? 0);
      while (cloud.clock.step(cloud.clock.now()));
      hours.add(described()[0]?.StartTime?.getUTCHours() ?? -1);
    }
    expect(first).toBeLessThan(cloud.clock.now());
    // UTC+11 in summer, UTC+10 in winter.
    expect(hours).toEqual(new Set([8, 9]));
  });

  test('shows its next run as StartTime, and runs no more after its end', () => {
    const { cloud, inSeconds, put, described } = withGroup();
    put({ Recurrence: '*/10 * * * *', EndTime: inSeconds(25 * 60), MinSize: 1 });
    const [{ StartTime: first } = {}] = described();
    cloud.advance(11 * 60);
    const [{ StartTime: second } = {}] = described();
    expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBe(600_000);
    cloud.advance(20 * 60);
    expect(described()).toEqual([]);
  });

  // https://github.com/hashicorp/terraform-provider-aws/issues/41200
  test('whose recurrence is changed with the old StartTime runs once more at that time', () => {
    const { cloud, put, described } = withGroup();
    put({ Recurrence: '0 3 * * *', MinSize: 1 });
    const StartTime = described()[0]?.StartTime;
    put({ Recurrence: '0 3 * * 6', StartTime, MinSize: 1 });
    expect(described()[0]?.StartTime).toEqual(StartTime);
    cloud.advance(24 * hour);
    expect(groupOf(cloud).MinSize).toBe(1);
    expect(described()[0]?.StartTime?.getUTCDay()).toBe(6);
  });

  test('does not run while the process ScheduledActions is suspended, and is not made up for', () => {
    const { cloud, operations, inSeconds, put } = withGroup();
    put({ StartTime: inSeconds(60), MinSize: 3 });
    operations.SuspendProcesses({ ...group, ScalingProcesses: ['ScheduledActions'] });
    cloud.advance(120);
    operations.ResumeProcesses(group);
    cloud.advance(120);
    expect(groupOf(cloud).MinSize).toBe(0);
  });

  test('of a deleted group does not reach a group that takes its name', () => {
    const { cloud, operations, inSeconds, put } = withGroup();
    put({ StartTime: inSeconds(hour), MinSize: 3 });
    operations.DeleteAutoScalingGroup({ ...group, ForceDelete: true });
    cloud.advance(300);
    createGroup(cloud);
    cloud.advance(hour);
    expect(groupOf(cloud).MinSize).toBe(0);
  });

  test.each([
    // https://github.com/pulumi/pulumi-aws/issues/2473
    ['a start in the past', { StartTime: new Date(0), MinSize: 1 }, 'Given start time is in the past'],
    ['neither start nor recurrence', { MinSize: 1 }, 'start time or a recurrence'],
    ['no size', { Recurrence: '0 3 * * *' }, 'At least one of'],
    [
      // https://github.com/buildkite/terraform-buildkite-elastic-ci-stack-for-aws/issues/139
      'a desired capacity below its MinSize',
      { Recurrence: '0 3 * * *', MinSize: 2, DesiredCapacity: 0 },
      'Desired capacity must be greater than or equal to min size',
    ],
    [
      'a desired capacity above its MaxSize',
      { Recurrence: '0 3 * * *', MaxSize: 2, DesiredCapacity: 3 },
      'less',
    ],
    ['MinSize above MaxSize', { Recurrence: '0 3 * * *', MinSize: 2, MaxSize: 1 }, 'exceed max size'],
    ['six fields', { Recurrence: '0 3 * * ? *', MinSize: 1 }, 'recurrence string'],
    [
      'a time zone that does not exist',
      { Recurrence: '0 3 * * *', TimeZone: 'Mars/Base', MinSize: 1 },
      'time zone',
    ],
    [
      'an empty name',
      { ScheduledActionName: '', Recurrence: '0 3 * * *', MinSize: 1 },
      'scheduledActionName',
    ],
  ])('with %s is refused', (_title, action, message) => {
    expect(() => withGroup().put(action)).toThrow(message);
  });

  test('has a time that no other action of its group has', () => {
    const { put, operations, described } = withGroup();
    put({ Recurrence: '0 3 * * *', MinSize: 1 });
    const { FailedScheduledUpdateGroupActions: failed } = operations.BatchPutScheduledUpdateGroupAction({
      ...group,
      ScheduledUpdateGroupActions: [
        { ScheduledActionName: 'same', Recurrence: '0 3 * * *', MaxSize: 9 },
        { ScheduledActionName: 'other', Recurrence: '1 3 * * *', MaxSize: 9 },
      ],
    });
    expect(failed).toMatchObject([{ ScheduledActionName: 'same', ErrorCode: 'AlreadyExists' }]);
    expect(described().map(({ ScheduledActionName }) => ScheduledActionName)).toEqual(['night', 'other']);
  });

  test('can be deleted, and those that are unknown are named', () => {
    const { put, operations, described } = withGroup();
    put({ Recurrence: '0 3 * * *', MinSize: 1 });
    const { FailedScheduledActions: failed } = operations.BatchDeleteScheduledAction({
      ...group,
      ScheduledActionNames: ['night', 'no-such'],
    });
    expect(failed.map(({ ScheduledActionName }) => ScheduledActionName)).toEqual(['no-such']);
    expect(described()).toEqual([]);
    expect(() => operations.DeleteScheduledAction({ ...group, ScheduledActionName: 'night' })).toThrow(
      'not found',
    );
  });

  test('is listed page by page over all groups, or by name and time', () => {
    const { cloud, put, operations } = withGroup();
    createGroup(cloud, { AutoScalingGroupName: 'others', DesiredCapacity: 0 });
    put({ Recurrence: '0 3 * * *', MinSize: 1 });
    put({ AutoScalingGroupName: 'others', Recurrence: '0 4 * * *', MinSize: 1 });
    const first = operations.DescribeScheduledActions({ MaxRecords: 1 });
    const second = operations.DescribeScheduledActions({ MaxRecords: 1, NextToken: first.NextToken });
    expect(
      [first, second].map(({ ScheduledUpdateGroupActions: [one] }) => one?.AutoScalingGroupName),
    ).toEqual(['workers', 'others']);
    expect(second.NextToken).toBeUndefined();
    const named = operations.DescribeScheduledActions({
      ...group,
      ScheduledActionNames: ['night', 'no-such'],
    });
    expect(named.ScheduledUpdateGroupActions).toHaveLength(1);
    const none = operations.DescribeScheduledActions({ EndTime: new Date(cloud.clock.now()) });
    expect(none.ScheduledUpdateGroupActions).toEqual([]);
  });
});

/** `*`, values, ranges, steps and lists of a field. */
const field = (minimum: number, maximum: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    fc.integer({ min: minimum, max: maximum }).map(String),
    fc
      .tuple(fc.integer({ min: minimum, max: maximum }), fc.integer({ min: minimum, max: maximum }))
      .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
    fc.integer({ min: 1, max: 12 }).map((step) => `*/${step}`),
    fc
      .uniqueArray(fc.integer({ min: minimum, max: maximum }), { minLength: 2, maxLength: 4 })
      .map((values) => values.join()),
  );

const covers = (text: string, value: number, minimum: number): boolean =>
  text.split(',').some((item) => {
    const [span = '', step = '1'] = item.split('/');
    const [from, to = from] = span === '*' ? [String(minimum), '99'] : span.split('-');
    return value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0;
  });

test('the next run of a recurrence is the first minute that crontab(5) matches', () => {
  fc.assert(
    fc.property(
      fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(0, 7)),
      fc.integer({ min: 0, max: 40_000_000 }),
      ([minute, hourOfDay, day, weekday], start) => {
        const after = Date.UTC(2026, 0, 1) + start * 60_000;
        const cron = parseUnixCron(`${minute} ${hourOfDay} ${day} * ${weekday}`);
        const found = cron && nextCron(cron, after, 'UTC');
        const matches = (at: Date): boolean => {
          const isDay = covers(day, at.getUTCDate(), 1);
          const isWeekday =
            covers(weekday, at.getUTCDay(), 0) || (at.getUTCDay() === 0 && covers(weekday, 7, 0));
          const either = !day.startsWith('*') && !weekday.startsWith('*');
          return (
            covers(minute, at.getUTCMinutes(), 0) &&
            covers(hourOfDay, at.getUTCHours(), 0) &&
            (either ? isDay || isWeekday : isDay && isWeekday)
          );
        };
        let at = after + 60_000;
        while (at < after + 3 * 86_400_000 && !matches(new Date(at))) at += 60_000;
        if (matches(new Date(at))) expect(found).toBe(at);
        else expect(found ?? Infinity).toBeGreaterThan(at);
      },
    ),
  );
});
