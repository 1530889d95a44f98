import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import { createScheduler } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { describe, expect, it } from 'vitest';
import { schedulerClient } from '../../../shared/aws/clients.ts';
import { createSchedule, deleteSchedule, setScheduleEnabled } from '../../../shared/aws/schedule-store.ts';
import {
  readSchedule,
  readSchedules,
  readScheduleTarget,
  scheduleReader,
} from '../../../shared/aws/schedules.ts';

const groupName = 'drover-prod';
const target = {
  functionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:prewarm',
  roleArn: 'arn:aws:iam::123456789012:role/schedules',
};
const record = (name: string) => ({
  name,
  expression: 'cron(0 8 * * ? *)',
  timeZone: 'Europe/Berlin',
  enabled: true,
  input: '{"version":1}',
});

function createFixture() {
  const clock = createManualClock();
  const calls: string[] = [];
  const parts = { clock, random: createRandom(5), accountId, region };
  const scheduler = createScheduler({ ...parts, deliver: () => undefined });
  const { connection } = createTestFront({
    services: [scheduler],
    clock,
    onCall: ({ operation, input }) => {
      calls.push(operation);
      return operation === 'GetSchedule' && (input as { Name: string }).Name === 'denied'
        ? 'fail-before'
        : undefined;
    },
  });
  const Tags = [
    { Key: 'drover.dev/schedule-function', Value: target.functionArn },
    { Key: 'drover.dev/schedule-role', Value: target.roleArn },
  ];
  scheduler.operations.CreateScheduleGroup({ Name: groupName, Tags });
  const group = { client: schedulerClient(connection), groupName };
  const create = (name: string) => createSchedule(group, { record: record(name), target });
  const takeCalls = (): readonly string[] => calls.splice(0);
  return { clock, scheduler, group, create, takeCalls, read: scheduleReader({ ...group, clock }) };
}

describe('the schedules of a group', () => {
  it('are read as they were made, and a second one of a name is not made', async () => {
    const { group, create, clock } = createFixture();
    const bounds = { startsAt: clock.now() + 60_000, endsAt: clock.now() + 120_000 };
    expect(await createSchedule(group, { record: { ...record('one'), ...bounds }, target })).toBe(true);
    expect(await create('one')).toBe(false);
    expect(await readSchedule(group, 'one')).toEqual({ ...record('one'), ...bounds });
    expect(await readSchedule(group, 'two')).toBeUndefined();
  });

  it('are listed over all pages', async () => {
    const { create, read, takeCalls } = createFixture();
    const names = Array.from({ length: 101 }, (_, index) => `schedule-${index}`);
    for (const name of names) await create(name);
    takeCalls();
    expect((await read()).records.map(({ name }) => name)).toEqual(names);
    expect(takeCalls().filter((operation) => operation === 'ListSchedules')).toHaveLength(2);
  });

  it('of pages without end are an error', async () => {
    let calls = 0;
    const send = async () => ({ Schedules: [], NextToken: String((calls += 1)), $metadata: {} });
    const client = { send } as unknown as SchedulerClient;
    await expect(scheduleReader({ client, groupName, clock: createManualClock() })()).rejects.toThrow(
      'without end',
    );
    expect(calls).toBe(100);
  });

  it('are read again only once they have changed', async () => {
    const { clock, group, create, read, takeCalls } = createFixture();
    await create('one');
    await create('two');
    clock.advance(61);
    await read();
    takeCalls();
    expect((await read()).records).toHaveLength(2);
    expect(takeCalls()).toEqual(['ListSchedules']);
    await setScheduleEnabled(group, 'two', false);
    await deleteSchedule(group, 'one');
    takeCalls();
    expect((await read()).records).toEqual([{ ...record('two'), enabled: false }]);
    expect(takeCalls()).toEqual(['ListSchedules', 'GetSchedule']);
  });

  it('are read although one of them cannot be read, and a request for all of them fails', async () => {
    const { clock, group, create, read } = createFixture();
    await create('denied');
    await create('other');
    expect(await read()).toMatchObject({
      records: [record('other')],
      failures: [{ name: 'denied', error: expect.any(Error) }],
    });
    await expect(readSchedules({ ...group, clock })).rejects.toThrow();
  });

  it('are read each time for a minute after a change: a second one may not show in its time', async () => {
    const { clock, create, read, takeCalls } = createFixture();
    await create('one');
    clock.advance(59);
    await read();
    takeCalls();
    await read();
    expect(takeCalls()).toEqual(['ListSchedules', 'GetSchedule']);
  });

  it('keep what Drover does not set when they are paused', async () => {
    const { group, scheduler } = createFixture();
    const settings = {
      Name: 'one',
      GroupName: groupName,
      Description: 'by hand',
      ScheduleExpression: 'cron(0 8 * * ? *)',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 5 },
      Target: {
        Arn: target.functionArn,
        RoleArn: target.roleArn,
        Input: '{}',
        RetryPolicy: { MaximumRetryAttempts: 3 },
      },
    };
    scheduler.operations.CreateSchedule(settings);
    expect(await setScheduleEnabled(group, 'one', false)).toBe(true);
    expect(scheduler.operations.GetSchedule({ Name: 'one', GroupName: groupName })).toMatchObject({
      ...settings,
      State: 'DISABLED',
    });
    expect(await setScheduleEnabled(group, 'two', false)).toBe(false);
    expect(await deleteSchedule(group, 'two')).toBe(false);
  });

  it('have the target that the tags of their group name', async () => {
    const { group, scheduler } = createFixture();
    expect(await readScheduleTarget(group)).toEqual(target);
    scheduler.operations.CreateScheduleGroup({ Name: 'drover-other' });
    const other = { ...group, groupName: 'drover-other' };
    await expect(readScheduleTarget(other)).rejects.toMatchObject({ name: 'NoScheduleGroupError' });
  });

  it('need the group of a deployment', async () => {
    const { group, clock } = createFixture();
    const missing = { ...group, groupName: 'drover-missing' };
    const error = { name: 'NoScheduleGroupError', message: expect.stringContaining('drover-missing') };
    await expect(scheduleReader({ ...missing, clock })()).rejects.toMatchObject(error);
    await expect(readScheduleTarget(missing)).rejects.toMatchObject(error);
    await expect(createSchedule(missing, { record: record('one'), target })).rejects.toMatchObject(error);
  });
});
