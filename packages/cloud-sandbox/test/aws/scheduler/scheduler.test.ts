import { describe, expect, test } from 'vitest';
import { createScheduler } from '../../../src/aws/scheduler/scheduler.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { advanceClock } from '../support/cloud.ts';

const queue = 'arn:aws:sqs:eu-west-1:123456789012:schedules';

function createWorld() {
  const clock = createVirtualClock();
  const delivered: { readonly at: string; readonly body: string }[] = [];
  const { operations } = createScheduler({
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
    deliver: (_targetArn, body) => {
      delivered.push({ at: new Date(clock.now()).toISOString(), body });
    },
  });
  const schedule = (expression: string, settings = {}) => ({
    Name: 'morning',
    ScheduleExpression: expression,
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    Target: { Arn: queue, RoleArn: 'arn:aws:iam::123456789012:role/scheduler', Input: '{"nodes":5}' },
    ...settings,
  });
  const advance = (hours: number): void => advanceClock(clock, hours * 3600);
  return { operations, schedule, delivered, advance };
}

// https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
describe('a schedule', () => {
  test('runs at the local time of its time zone', () => {
    const { operations, schedule, delivered, advance } = createWorld();
    const timing = { ScheduleExpressionTimezone: 'Asia/Tokyo' };
    operations.CreateSchedule(schedule('cron(30 7 ? * MON-FRI *)', timing));
    advance(48);
    expect(delivered).toEqual([
      { at: '2026-01-05T22:30:00.000Z', body: '{"nodes":5}' },
      { at: '2026-01-06T22:30:00.000Z', body: '{"nodes":5}' },
    ]);
  });

  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-delete.html
  test('for one time runs once, and is deleted afterwards only with ActionAfterCompletion', () => {
    const { operations, schedule, delivered, advance } = createWorld();
    operations.CreateSchedule(schedule('at(2026-01-05T10:00:00)', { ActionAfterCompletion: 'DELETE' }));
    operations.CreateSchedule(schedule('at(2026-01-05T11:00:00)', { Name: 'stays' }));
    advance(24);
    expect(delivered.map(({ at }) => at)).toEqual(['2026-01-05T10:00:00.000Z', '2026-01-05T11:00:00.000Z']);
    expect(operations.ListSchedules({}).Schedules.map(({ Name }) => Name)).toEqual(['stays']);
  });

  test('runs only between its start and its end', () => {
    const { operations, schedule, delivered, advance } = createWorld();
    const window = { StartDate: new Date('2026-01-05T10:00:00Z'), EndDate: new Date('2026-01-05T12:30:00Z') };
    operations.CreateSchedule(schedule('rate(1 hour)', window));
    advance(24);
    expect(delivered.map(({ at }) => at.slice(11, 16))).toEqual(['10:00', '11:00', '12:00']);
  });

  test('does not run while it is disabled, and follows its last update', () => {
    const { operations, schedule, delivered, advance } = createWorld();
    operations.CreateSchedule(schedule('rate(1 hour)'));
    advance(1);
    operations.UpdateSchedule(schedule('rate(1 hour)', { State: 'DISABLED' }));
    advance(5);
    expect(delivered).toHaveLength(1);
    operations.UpdateSchedule(schedule('rate(2 hours)'));
    advance(2);
    expect(delivered).toHaveLength(2);
    expect(operations.GetSchedule({ Name: 'morning' })).toMatchObject({
      ScheduleExpression: 'rate(2 hours)',
      State: 'ENABLED',
    });
    operations.DeleteSchedule({ Name: 'morning' });
    advance(5);
    expect(delivered).toHaveLength(2);
  });

  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
  test('can send the scheduled time to its target', () => {
    const { operations, schedule, delivered, advance } = createWorld();
    const Target = {
      Arn: queue,
      RoleArn: 'arn:aws:iam::123456789012:role/x',
      Input: '{"at":"<aws.scheduler.scheduled-time>"}',
    };
    operations.CreateSchedule(schedule('rate(1 hour)', { Target }));
    advance(1);
    expect(delivered[0]?.body).toBe('{"at":"2026-01-05T09:00:00Z"}');
  });

  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-flexible-time-windows.html
  test('with a flexible window runs within the window', () => {
    const { operations, schedule, delivered, advance } = createWorld();
    const FlexibleTimeWindow = { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 15 };
    const Target = {
      Arn: queue,
      RoleArn: 'arn:aws:iam::123456789012:role/x',
      Input: '<aws.scheduler.scheduled-time>',
    };
    operations.CreateSchedule(schedule('cron(0 * * * ? *)', { FlexibleTimeWindow, Target }));
    advance(24);
    expect(delivered.length).toBeGreaterThanOrEqual(23);
    const late = delivered.map(({ at, body }) => Date.parse(at) - Date.parse(body));
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThan(15 * 60_000);
    expect(new Set(late).size).toBeGreaterThan(10);
    expect(delivered[5]?.body).toBe('2026-01-05T14:00:00Z');
  });

  test.each([
    ['an invalid expression', 'every hour', {}],
    ['an invalid time zone', 'rate(1 hour)', { ScheduleExpressionTimezone: 'Mars/Olympus' }],
    ['a flexible window without its length', 'rate(1 hour)', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }],
    ['no role', 'rate(1 hour)', { Target: { Arn: queue } }],
    ['a name with a slash', 'rate(1 hour)', { Name: 'a/b' }],
  ])('with %s is refused', (_what, expression, settings) => {
    const { operations, schedule } = createWorld();
    expect(() => operations.CreateSchedule(schedule(expression, settings))).toThrow(
      expect.objectContaining({ code: 'ValidationException' }),
    );
  });

  test('has a unique name in its group', () => {
    const { operations, schedule } = createWorld();
    operations.CreateSchedule(schedule('rate(1 hour)'));
    expect(() => operations.CreateSchedule(schedule('rate(1 hour)'))).toThrow(
      expect.objectContaining({ code: 'ConflictException', statusCode: 409 }),
    );
    operations.CreateScheduleGroup({ Name: 'prewarm' });
    operations.CreateSchedule(schedule('rate(1 hour)', { GroupName: 'prewarm' }));
    expect(operations.ListSchedules({ GroupName: 'prewarm' }).Schedules).toHaveLength(1);
    operations.DeleteScheduleGroup({ Name: 'prewarm' });
    expect(operations.ListSchedules({}).Schedules).toHaveLength(1);
    expect(() => operations.GetSchedule({ Name: 'other' })).toThrow(
      expect.objectContaining({ statusCode: 404 }),
    );
  });
});
