import { GetScheduleCommand } from '@aws-sdk/client-scheduler';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { create, hourly, localTime, nextMessage, openQueue, type SchedulerWorld, soon } from './world.ts';

/** When it is so many seconds later, in words of Scheduler. */
const at = ({ clock }: SchedulerWorld, seconds: number, hoursFromUtc = 0): string =>
  `at(${localTime(clock.now() + seconds * 1000, hoursFromUtc)})`;

/** Lets time pass until the schedule has been deleted. AWS documents no time for it. */
async function untilGone(world: SchedulerWorld, Name: string): Promise<void> {
  const read = () => world.client.send(new GetScheduleCommand({ Name }));
  const isThere = () => read().then(Boolean, () => false);
  for (let second = 0; second < 5 * soon(world) && (await isThere()); second += 1) await world.pass(1);
  await expect(read()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
}

/** Schedules as they run: the user guide of EventBridge Scheduler. */
export const schedulerRunCases: Cases<SchedulerWorld> = {
  // "Schedule types", "Deleting a schedule".
  'a schedule for one time sends its input once, and can delete itself; a disabled one sends nothing': async (
    world,
  ) => {
    const { arn: Arn, receive } = await openQueue(world);
    const Name = newName();
    const target = (Input: string) => ({ Target: { Arn, RoleArn: world.roleArn, Input } });
    const ScheduleExpression = at(world, soon(world));
    await create(
      world,
      hourly(world, newName(), { ScheduleExpression, State: 'DISABLED', ...target('"never"') }),
    );
    const ActionAfterCompletion = 'DELETE';
    await create(
      world,
      hourly(world, Name, { ScheduleExpression, ActionAfterCompletion, ...target('{"nodes":7}') }),
    );
    expect(await receive()).toEqual([]);
    expect((await nextMessage(world, receive)).Body).toBe('{"nodes":7}');
    await world.pass(1);
    expect(await receive()).toEqual([]);
    await untilGone(world, Name);
  },
  // "Schedule types", "Time zones on EventBridge Scheduler".
  'a schedule runs at the local time of its time zone': async (world) => {
    const { arn: Arn, receive } = await openQueue(world);
    const schedule = (zone: string, ScheduleExpression: string) =>
      create(
        world,
        hourly(world, newName(), {
          ScheduleExpression,
          ScheduleExpressionTimezone: zone,
          Target: { Arn, RoleArn: world.roleArn, Input: JSON.stringify(zone) },
        }),
      );
    await schedule('America/Bogota', at(world, 7200, -5));
    await schedule('Asia/Tokyo', at(world, soon(world), 9));
    expect((await nextMessage(world, receive)).Body).toBe('"Asia/Tokyo"');
    expect(await receive()).toEqual([]);
  },
  // Target, Input: "If you do not specify anything for this field, EventBridge Scheduler delivers a default notification
  // to the target."
  'a target without an input gets the name of the schedule': async (world) => {
    const { arn: Arn, receive } = await openQueue(world);
    const input = hourly(world, newName(), {
      ScheduleExpression: at(world, soon(world)),
      Target: { Arn, RoleArn: world.roleArn },
    });
    const { ScheduleArn } = await create(world, input);
    expect(JSON.parse((await nextMessage(world, receive)).Body ?? '')).toMatchObject({
      source: 'aws.scheduler',
      'detail-type': 'Scheduled Event',
      resources: [ScheduleArn],
    });
  },
  // "Adding context attributes".
  'an input can contain the schedule and its time as context attributes': async (world) => {
    const { arn: Arn, receive } = await openQueue(world);
    const Input = '{"arn":"<aws.scheduler.schedule-arn>","at":"<aws.scheduler.scheduled-time>"}';
    const time = localTime(world.clock.now() + soon(world) * 1000);
    const input = hourly(world, newName(), {
      ScheduleExpression: `at(${time})`,
      Target: { Arn, RoleArn: world.roleArn, Input },
    });
    const { ScheduleArn } = await create(world, input);
    const { Body = '' } = await nextMessage(world, receive);
    expect(JSON.parse(Body)).toEqual({ arn: ScheduleArn, at: `${time}Z` });
  },
  // Target, SqsParameters.
  'a FIFO queue gets the message in the group of the schedule': async (world) => {
    const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
    const { arn: Arn, receive } = await openQueue(world, { QueueName: `${newName()}.fifo`, Attributes });
    const Target = { Arn, RoleArn: world.roleArn, Input: '{}', SqsParameters: { MessageGroupId: 'workers' } };
    await create(world, hourly(world, newName(), { ScheduleExpression: at(world, soon(world)), Target }));
    expect((await nextMessage(world, receive)).Attributes?.MessageGroupId).toBe('workers');
  },
};
