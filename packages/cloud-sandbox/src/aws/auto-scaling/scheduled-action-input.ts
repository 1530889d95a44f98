import type { PutScheduledUpdateGroupActionType } from '@aws-sdk/client-auto-scaling';
import { type Cron, nextCron } from '../events/cron.ts';
import { isTimeZone } from '../events/time-zone.ts';
import { autoScalingErrors } from './errors.ts';
import type { Group, ScheduledAction } from './model.ts';
import { parseUnixCron } from './unix-cron.ts';
import { required } from './validation.ts';

/** "You can create a maximum of 125 scheduled actions per Auto Scaling group" (user guide, "Scheduled scaling", Limitations). */
const maximumActions = 125;

type Input = Omit<PutScheduledUpdateGroupActionType, 'AutoScalingGroupName'>;

/**
 * The scheduled action that an input describes. An action that exists is replaced, and a StartTime that is given is the time of its next run
 * whatever its recurrence is (terraform-provider-aws#41200). Throws ValidationError, AlreadyExists, LimitExceeded.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutScheduledUpdateGroupAction.html
 */
export function scheduledActionFrom(group: Group, input: Input, now: number): ScheduledAction {
  const name = required(input.ScheduledActionName, 'scheduledActionName');
  if (name.length === 0 || name.length > 255) {
    throw autoScalingErrors.validation(
      `1 validation error detected: Value '${name}' at 'scheduledActionName' failed to satisfy constraint: Member must have length between 1 and 255`,
    );
  }
  checkSizes(input);
  const cron = cronOf(input);
  const timeZone = timeZoneOf(input);
  const startsAt = (input.StartTime ?? input.Time)?.getTime();
  if (startsAt !== undefined && startsAt < now) {
    throw autoScalingErrors.validation('Given start time is in the past');
  }
  const nextAt = startsAt ?? (cron && nextCron(cron, now, timeZone));
  if (nextAt === undefined) {
    throw autoScalingErrors.validation('Either a start time or a recurrence must be specified');
  }
  const endsAt = input.EndTime?.getTime();
  if (endsAt !== undefined && endsAt <= nextAt) {
    throw autoScalingErrors.validation('Given end time is before the start time');
  }
  checkPlace(group, name, nextAt);
  return {
    name,
    recurrence: input.Recurrence,
    cron,
    timeZone,
    hasTimeZone: input.TimeZone !== undefined,
    endsAt,
    minimum: input.MinSize,
    maximum: input.MaxSize,
    desired: input.DesiredCapacity,
    nextAt,
    timer: undefined,
  };
}

function checkSizes({ MinSize, MaxSize, DesiredCapacity }: Input): void {
  const given = [MinSize, MaxSize, DesiredCapacity].filter((size) => size !== undefined);
  if (given.length === 0) {
    throw autoScalingErrors.validation(
      'At least one of MinSize, MaxSize or DesiredCapacity must be specified',
    );
  }
  if (given.some((size) => size < 0)) throw autoScalingErrors.validation('Sizes must not be negative');
  if ((MinSize ?? 0) > (MaxSize ?? Infinity)) throw autoScalingErrors.minimumAboveMaximum();
  if (DesiredCapacity === undefined) return;
  // The wording of AWS: buildkite/terraform-buildkite-elastic-ci-stack-for-aws#139.
  if (DesiredCapacity < (MinSize ?? 0)) {
    throw autoScalingErrors.validation('Desired capacity must be greater than or equal to min size');
  }
  if (DesiredCapacity > (MaxSize ?? Infinity)) {
    throw autoScalingErrors.validation('Desired capacity must be less than or equal to max size');
  }
}

function cronOf({ Recurrence: recurrence }: Input): Cron | undefined {
  if (recurrence === undefined) return undefined;
  const cron = parseUnixCron(recurrence);
  if (cron === undefined) {
    throw autoScalingErrors.validation(`Given recurrence string:${recurrence} is invalid`);
  }
  return cron;
}

function timeZoneOf({ TimeZone: timeZone = 'UTC' }: Input): string {
  if (!isTimeZone(timeZone)) throw autoScalingErrors.validation(`Given time zone:${timeZone} is invalid`);
  return timeZone;
}

/** "A scheduled action must have a unique time value" (user guide, "Scheduled scaling", Limitations). */
function checkPlace({ scheduledActions }: Group, name: string, nextAt: number): void {
  const others = [...scheduledActions.values()].filter((other) => other.name !== name);
  if (others.some((other) => other.nextAt === nextAt)) {
    throw autoScalingErrors.alreadyExists('A scheduled action with this scheduled start time already exists');
  }
  if (others.length >= maximumActions) {
    throw autoScalingErrors.limitExceeded(`Scheduled actions limit of ${maximumActions} exceeded`);
  }
}
