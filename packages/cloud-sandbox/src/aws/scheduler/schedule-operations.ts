import type {
  CreateScheduleInput,
  DeleteScheduleInput,
  GetScheduleInput,
  GetScheduleOutput,
  ListSchedulesInput,
  ScheduleSummary,
  UpdateScheduleInput,
} from '@aws-sdk/client-scheduler';
import { page, pageSize } from '../paging.ts';
import { schedulerErrors } from './errors.ts';
import { defaultGroup, type Schedule, type ScheduleGroup, type SchedulerWorld } from './model.ts';
import { arm, disarm } from './running.ts';
import { scheduleFrom } from './schedule-input.ts';

interface Named {
  readonly Name?: string | undefined;
  readonly GroupName?: string | undefined;
}

export const scheduleOperations = (world: SchedulerWorld) => ({
  CreateSchedule: (input: CreateScheduleInput) => {
    const group = findGroup(world, input.GroupName);
    const schedule = scheduleFrom(world, input, undefined);
    if (group.schedules.has(schedule.name)) throw schedulerErrors.conflict('Schedule', schedule.name);
    group.schedules.set(schedule.name, schedule);
    arm(world, schedule);
    return { ScheduleArn: schedule.arn };
  },
  UpdateSchedule: (input: UpdateScheduleInput) => {
    const before = findSchedule(world, input);
    const schedule = scheduleFrom(world, input, before);
    disarm(before);
    findGroup(world, input.GroupName).schedules.set(schedule.name, schedule);
    arm(world, schedule);
    return { ScheduleArn: schedule.arn };
  },
  GetSchedule: (input: GetScheduleInput): GetScheduleOutput => toSchedule(findSchedule(world, input)),
  DeleteSchedule: (input: DeleteScheduleInput): Record<string, never> => {
    const schedule = findSchedule(world, input);
    disarm(schedule);
    findGroup(world, input.GroupName).schedules.delete(schedule.name);
    return {};
  },
  ListSchedules: (input: ListSchedulesInput) => listSchedules(world, input),
});

export function findGroup(world: SchedulerWorld, name: string = defaultGroup): ScheduleGroup {
  const group = world.groups.get(name);
  if (group === undefined) throw schedulerErrors.notFound('Schedule group', name);
  return group;
}

function findSchedule(world: SchedulerWorld, { Name: name = '', GroupName }: Named): Schedule {
  const schedule = findGroup(world, GroupName).schedules.get(name);
  if (schedule === undefined) throw schedulerErrors.notFound('Schedule', name);
  return schedule;
}

/** Lists the schedules of all groups, unless one is named. */
function listSchedules(world: SchedulerWorld, input: ListSchedulesInput) {
  const groups =
    input.GroupName === undefined ? [...world.groups.values()] : [findGroup(world, input.GroupName)];
  const asked = groups
    .flatMap(({ schedules }) => [...schedules.values()])
    .filter(({ name }) => name.startsWith(input.NamePrefix ?? ''))
    .filter(({ state }) => input.State === undefined || state === input.State);
  const { items, nextToken } = page(asked, {
    nextToken: input.NextToken,
    size: pageSize(input.MaxResults, { default: 100, maximum: 100 }),
    invalidToken: () => schedulerErrors.validation('Invalid NextToken.'),
  });
  return { Schedules: items.map(toSummary), NextToken: nextToken };
}

function toSummary(schedule: Schedule): ScheduleSummary {
  return {
    Arn: schedule.arn,
    Name: schedule.name,
    GroupName: schedule.groupName,
    State: schedule.state,
    CreationDate: new Date(schedule.createdAt),
    LastModificationDate: new Date(schedule.modifiedAt),
    Target: { Arn: schedule.target.Arn },
  };
}

function toSchedule(schedule: Schedule): GetScheduleOutput {
  return {
    ...toSummary(schedule),
    ScheduleExpression: schedule.expression,
    ScheduleExpressionTimezone: schedule.timeZone,
    Description: schedule.description,
    StartDate: dateOf(schedule.startsAt),
    EndDate: dateOf(schedule.endsAt),
    Target: schedule.target,
    FlexibleTimeWindow: schedule.flexibleWindow,
    ActionAfterCompletion: schedule.actionAfterCompletion,
  };
}

const dateOf = (milliseconds: number | undefined): Date | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds);
