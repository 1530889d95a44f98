import type { CreateScheduleInput, UpdateScheduleInput } from '@aws-sdk/client-scheduler';
import { parseSchedule, type Schedule as Timing } from '../events/schedule-expression.ts';
import { isTimeZone } from '../events/time-zone.ts';
import { schedulerErrors } from './errors.ts';
import { defaultGroup, type Schedule, type SchedulerWorld } from './model.ts';

type Input = CreateScheduleInput | UpdateScheduleInput;

/**
 * The schedule that an input describes. Throws ValidationException.
 * https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
 */
export function scheduleFrom(world: SchedulerWorld, input: Input, before: Schedule | undefined): Schedule {
  const { Name: name = '', ScheduleExpression: expression = '', GroupName: groupName = defaultGroup } = input;
  if (!/^[0-9a-zA-Z-_.]{1,64}$/.test(name))
    throw schedulerErrors.validation(`Invalid schedule name: '${name}'.`);
  const now = world.clock.now();
  return {
    name,
    groupName,
    arn: `arn:aws:scheduler:${world.region}:${world.accountId}:schedule/${groupName}/${name}`,
    expression,
    timing: timingOf(expression),
    timeZone: timeZoneOf(input),
    startsAt: input.StartDate?.getTime(),
    endsAt: input.EndDate?.getTime(),
    description: input.Description,
    state: input.State ?? 'ENABLED',
    flexibleWindow: windowOf(input),
    target: targetOf(input),
    actionAfterCompletion: input.ActionAfterCompletion ?? 'NONE',
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
    timer: undefined,
  };
}

function timingOf(expression: string): Timing {
  const timing = parseSchedule(expression);
  if (timing === undefined) throw schedulerErrors.validation(`Invalid Schedule Expression ${expression}.`);
  return timing;
}

function timeZoneOf(input: Input): string {
  const timeZone = input.ScheduleExpressionTimezone ?? 'UTC';
  if (!isTimeZone(timeZone)) {
    throw schedulerErrors.validation(`Invalid ScheduleExpressionTimezone '${timeZone}'.`);
  }
  return timeZone;
}

/** https://docs.aws.amazon.com/scheduler/latest/APIReference/API_FlexibleTimeWindow.html */
function windowOf({ FlexibleTimeWindow: window }: Input): Schedule['flexibleWindow'] {
  if (window?.Mode === 'OFF') return { Mode: 'OFF' };
  const minutes = window?.MaximumWindowInMinutes ?? 0;
  if (window?.Mode === 'FLEXIBLE' && minutes >= 1 && minutes <= 1440) return window;
  throw schedulerErrors.validation(
    'FlexibleTimeWindow.Mode must be OFF, or FLEXIBLE with a MaximumWindowInMinutes from 1 to 1440.',
  );
}

function targetOf({ Target: target }: Input): Schedule['target'] {
  if (target?.Arn === undefined || target.RoleArn === undefined) {
    throw schedulerErrors.validation('Target.Arn and Target.RoleArn are required.');
  }
  if (target.Arn.endsWith('.fifo') && target.SqsParameters?.MessageGroupId === undefined) {
    throw schedulerErrors.validation('SqsParameters.MessageGroupId is required for a FIFO queue.');
  }
  return target;
}
