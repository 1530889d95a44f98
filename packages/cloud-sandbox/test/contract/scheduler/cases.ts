import {
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  type ListSchedulesCommandInput,
  ListTagsForResourceCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { schedulerRunCases } from './run-cases.ts';
import { create, hourly, type SchedulerWorld } from './world.ts';

const named = (name: string) => ({ name });
const invalid = named('ValidationException');

async function list({ client }: SchedulerWorld, input: ListSchedulesCommandInput): Promise<string[]> {
  const { Schedules = [] } = await client.send(new ListSchedulesCommand(input));
  return Schedules.map(({ Name = '' }) => Name);
}

async function createGroup({ client }: SchedulerWorld): Promise<string> {
  const Name = newName();
  await client.send(new CreateScheduleGroupCommand({ Name }));
  return Name;
}

/** Schedules as they are kept: the API reference of EventBridge Scheduler. */
const schedulerKeepCases: Cases<SchedulerWorld> = {
  'a schedule is read back as created, with the defaults': async (world) => {
    const Name = newName();
    const { ScheduleArn } = await create(world, hourly(world, Name));
    expect(ScheduleArn).toMatch(new RegExp(`^arn:aws:scheduler:[^:]+:\\d{12}:schedule/default/${Name}$`));
    const read = await world.client.send(new GetScheduleCommand({ Name }));
    expect(read).toMatchObject({
      ...hourly(world, Name),
      Arn: ScheduleArn,
      GroupName: 'default',
      State: 'ENABLED',
      ScheduleExpressionTimezone: 'UTC',
      ActionAfterCompletion: 'NONE',
    });
    expect(read.CreationDate).toBeInstanceOf(Date);
  },
  'the name of a schedule is unique in its group': async (world) => {
    const Name = newName();
    const GroupName = await createGroup(world);
    await create(world, hourly(world, Name));
    await expect(create(world, hourly(world, Name, { Description: 'again' }))).rejects.toMatchObject(
      named('ConflictException'),
    );
    const { ScheduleArn } = await create(world, hourly(world, Name, { GroupName }));
    expect(ScheduleArn).toContain(`:schedule/${GroupName}/${Name}`);
  },
  'a missing schedule or group is refused': async (world) => {
    const { client } = world;
    const Name = newName();
    const missing = named('ResourceNotFoundException');
    await expect(client.send(new GetScheduleCommand({ Name }))).rejects.toMatchObject(missing);
    await expect(client.send(new UpdateScheduleCommand(hourly(world, Name)))).rejects.toMatchObject(missing);
    await expect(client.send(new DeleteScheduleCommand({ Name }))).rejects.toMatchObject(missing);
    const group = new DeleteScheduleGroupCommand({ Name });
    await expect(client.send(group)).rejects.toMatchObject(missing);
  },
  'a schedule needs an existing group': async (world) => {
    await expect(create(world, hourly(world, newName(), { GroupName: newName() }))).rejects.toMatchObject(
      named('ResourceNotFoundException'),
    );
  },
  // UpdateSchedule: "EventBridge Scheduler uses all values, including empty values, specified in the request and overrides
  // the existing schedule."
  'an update replaces all settings of a schedule': async (world) => {
    const Name = newName();
    const Description = 'every hour';
    await create(
      world,
      hourly(world, Name, { Description, ScheduleExpressionTimezone: 'Asia/Tokyo', State: 'DISABLED' }),
    );
    const before = await world.client.send(new GetScheduleCommand({ Name }));
    expect(before).toMatchObject({
      Description,
      ScheduleExpressionTimezone: 'Asia/Tokyo',
      State: 'DISABLED',
    });
    const ScheduleExpression = 'cron(0 8 ? * MON-FRI *)';
    await world.client.send(new UpdateScheduleCommand(hourly(world, Name, { ScheduleExpression })));
    const after = await world.client.send(new GetScheduleCommand({ Name }));
    expect(after).toMatchObject({ ScheduleExpression, ScheduleExpressionTimezone: 'UTC', State: 'ENABLED' });
    expect(after.Description ?? '').toBe('');
    expect(after.CreationDate).toEqual(before.CreationDate);
  },
  'the name of a deleted schedule can be reused': async (world) => {
    const Name = newName();
    await create(world, hourly(world, Name));
    await world.client.send(new DeleteScheduleCommand({ Name }));
    await expect(world.client.send(new GetScheduleCommand({ Name }))).rejects.toMatchObject(
      named('ResourceNotFoundException'),
    );
    await create(world, hourly(world, Name));
  },
  'schedules can be filtered by group, by name prefix and by state': async (world) => {
    const GroupName = await createGroup(world);
    await create(world, hourly(world, 'morning-1', { GroupName }));
    await create(world, hourly(world, 'morning-2', { GroupName, State: 'DISABLED' }));
    await create(world, hourly(world, 'night', { GroupName }));
    expect((await list(world, { GroupName })).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'morning-1',
      'morning-2',
      'night',
    ]);
    expect(await list(world, { GroupName, NamePrefix: 'n' })).toEqual(['night']);
    expect(await list(world, { GroupName, State: 'DISABLED' })).toEqual(['morning-2']);
  },
  'schedules are listed in pages, each schedule once': async (world) => {
    const GroupName = await createGroup(world);
    for (const name of ['a', 'b', 'c']) await create(world, hourly(world, name, { GroupName }));
    const found: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await world.client.send(new ListSchedulesCommand({ GroupName, MaxResults: 2, NextToken }));
      expect(page.Schedules?.length).toBeLessThanOrEqual(2);
      found.push(...(page.Schedules ?? []).map(({ Name = '' }) => Name));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(found.toSorted((a, b) => a.localeCompare(b))).toEqual(['a', 'b', 'c']);
  },
  'deleting a group deletes its schedules, and the default group cannot be deleted': async (world) => {
    const GroupName = await createGroup(world);
    const Name = newName();
    await create(world, hourly(world, Name, { GroupName }));
    await world.client.send(new DeleteScheduleGroupCommand({ Name: GroupName }));
    await expect(world.client.send(new GetScheduleCommand({ Name, GroupName }))).rejects.toMatchObject(
      named('ResourceNotFoundException'),
    );
    await expect(
      world.client.send(new DeleteScheduleGroupCommand({ Name: 'default' })),
    ).rejects.toMatchObject(invalid);
  },
  'the name of a group is unique': async (world) => {
    const Name = await createGroup(world);
    await expect(world.client.send(new CreateScheduleGroupCommand({ Name }))).rejects.toMatchObject(
      named('ConflictException'),
    );
  },
  // TagResource: "only schedule groups can be tagged".
  'a group has tags, from its creation on': async ({ client }) => {
    const Name = newName();
    const { ScheduleGroupArn: ResourceArn } = await client.send(
      new CreateScheduleGroupCommand({ Name, Tags: [{ Key: 'team', Value: 'one' }] }),
    );
    const tags = async () => (await client.send(new ListTagsForResourceCommand({ ResourceArn }))).Tags;
    expect(await tags()).toEqual([{ Key: 'team', Value: 'one' }]);
    const Tags = [
      { Key: 'team', Value: 'two' },
      { Key: 'cost', Value: 'a' },
    ];
    await client.send(new TagResourceCommand({ ResourceArn, Tags }));
    await client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ['cost'] }));
    expect(await tags()).toEqual([{ Key: 'team', Value: 'two' }]);
    await expect(
      client.send(new ListTagsForResourceCommand({ ResourceArn: `${ResourceArn}-other` })),
    ).rejects.toMatchObject(named('ResourceNotFoundException'));
  },
  // CreateSchedule, ScheduleExpression; user guide, "Schedule types": the least rate is a minute.
  'an invalid expression is refused': async (world) => {
    for (const ScheduleExpression of [
      'every hour',
      'rate(0 minutes)',
      'rate(30 seconds)',
      'cron(0 8 * * *)',
      'cron(0 8 1 * MON *)',
      'at(2030-01-05)',
      'at(2030-02-30T10:00:00)',
    ])
      await expect(
        create(world, hourly(world, newName(), { ScheduleExpression })),
        ScheduleExpression,
      ).rejects.toMatchObject(invalid);
  },
  'an unknown time zone is refused': async (world) => {
    const ScheduleExpressionTimezone = 'Mars/Olympus';
    await expect(
      create(world, hourly(world, newName(), { ScheduleExpressionTimezone })),
    ).rejects.toMatchObject(invalid);
  },
  'a flexible window is stored with its minutes': async (world) => {
    const Name = newName();
    const FlexibleTimeWindow = { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 15 };
    await create(world, hourly(world, Name, { FlexibleTimeWindow }));
    expect(await world.client.send(new GetScheduleCommand({ Name }))).toMatchObject({ FlexibleTimeWindow });
  },
  // User guide, "Configuring flexible time windows": "If you do set the value to FLEXIBLE, you must then specify a maximum
  // window of time"; FlexibleTimeWindow: from 1 to 1440.
  'a flexible window has 1 to 1,440 minutes': async (world) => {
    for (const minutes of [{}, { MaximumWindowInMinutes: 0 }, { MaximumWindowInMinutes: 1441 }])
      await expect(
        create(world, hourly(world, newName(), { FlexibleTimeWindow: { Mode: 'FLEXIBLE', ...minutes } })),
      ).rejects.toMatchObject(invalid);
  },
  'a target needs a role': async (world) => {
    const Target = { Arn: hourly(world, 'x').Target?.Arn, RoleArn: undefined };
    await expect(create(world, hourly(world, newName(), { Target }))).rejects.toMatchObject(invalid);
  },
  // CreateSchedule, Name: its pattern and length.
  'a name has at most 64 letters, digits and -_.': async (world) => {
    await create(world, hourly(world, `${newName()}_.${'x'.repeat(64)}`.slice(0, 64)));
    await expect(create(world, hourly(world, 'a name'))).rejects.toMatchObject(invalid);
    await expect(create(world, hourly(world, `${newName()}${'x'.repeat(64)}`))).rejects.toMatchObject(
      invalid,
    );
  },
};

/** EventBridge Scheduler: what runs what an operator planned. */
export const schedulerCases: Cases<SchedulerWorld> = { ...schedulerKeepCases, ...schedulerRunCases };
