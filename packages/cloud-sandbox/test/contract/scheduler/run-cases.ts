import { GetScheduleCommand } from '@aws-sdk/client-scheduler';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { create, hourly, localTime, nextMessage, openQueue, role, type SchedulerWorld } from './world.ts';

/** When it is so many seconds later, in words of Scheduler. */
const at = ({ clock }: SchedulerWorld, seconds: number, hoursFromUtc = 0): string =>
  `at(${localTime(clock.now() + seconds * 1000, hoursFromUtc)})`;

/** Schedules as they run: the user guide of EventBridge Scheduler. */
export const schedulerRunCases: Cases<SchedulerWorld> = {
  // "Schedule types", "Deleting a schedule".
  'a schedule for one time sends its input once, and can delete itself; a disabled one sends nothing': async (
    world,
  ) => {
    const { arn: Arn, receive } = await openQueue(world);
    const Name = newName();
    const target = (Input: string) => ({ Target: { Arn, RoleArn: role, Input } });
    const ScheduleExpression = at(world, 3);
    await create(world, hourly(newName(), { ScheduleExpression, State: 'DISABLED', ...target('"never"') }));
    const ActionAfterCompletion = 'DELETE';
    await create(
      world,
      hourly(Name, { ScheduleExpression, ActionAfterCompletion, ...target('{"nodes":7}') }),
    );
    expect(await receive()).toEqual([]);
    expect((await nextMessage(world, receive)).Body).toBe('{"nodes":7}');
    await world.pass(1);
    expect(await receive()).toEqual([]);
    await expect(world.client.send(new GetScheduleCommand({ Name }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  },
  // "Schedule types", "Time zones on EventBridge Scheduler".
  'a schedule runs at the local time of its time zone': async (world) => {
    const { arn: Arn, receive } = await openQueue(world);
    const schedule = (zone: string, ScheduleExpression: string) =>
      create(
        world,
        hourly(newName(), {
          ScheduleExpression,
          ScheduleExpressionTimezone: zone,
          Target: { Arn, RoleArn: role, Input: JSON.stringify(zone) },
        }),
      );
    await schedule('America/Bogota', at(world, 7200, -5));
    await schedule('Asia/Tokyo', at(world, 3, 9));
    expect((await nextMessage(world, receive)).Body).toBe('"Asia/Tokyo"');
    expect(await receive()).toEqual([]);
  },
  // Target, Input: "If you do not specify anything for this field, EventBridge Scheduler delivers a default notification
  // to the target."
  'a target without an input gets the name of the schedule': async (world) => {
    const { arn: Arn, receive } = await openQueue(world);
    const input = hourly(newName(), { ScheduleExpression: at(world, 3), Target: { Arn, RoleArn: role } });
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
    const time = localTime(world.clock.now() + 3000);
    const input = hourly(newName(), {
      ScheduleExpression: `at(${time})`,
      Target: { Arn, RoleArn: role, Input },
    });
    const { ScheduleArn } = await create(world, input);
    const { Body = '' } = await nextMessage(world, receive);
    expect(JSON.parse(Body)).toEqual({ arn: ScheduleArn, at: `${time}Z` });
  },
  // Target, SqsParameters.
  'a FIFO queue gets the message in the group of the schedule': async (world) => {
    const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
    const { arn: Arn, receive } = await openQueue(world, { QueueName: `${newName()}.fifo`, Attributes });
    const Target = { Arn, RoleArn: role, Input: '{}', SqsParameters: { MessageGroupId: 'workers' } };
    await create(world, hourly(newName(), { ScheduleExpression: at(world, 3), Target }));
    expect((await nextMessage(world, receive)).Attributes?.MessageGroupId).toBe('workers');
  },
};
