import { deliverWithRetries } from '../events/delivery.ts';
import { nextRun } from '../events/schedule-expression.ts';
import type { Schedule, SchedulerWorld } from './model.ts';

/** Sets the timer of the schedule's next run; one without a next run is completed. */
export function arm(world: SchedulerWorld, schedule: Schedule): void {
  disarm(schedule);
  if (schedule.state === 'DISABLED') return;
  const at = nextRunOf(schedule, world.clock.now());
  if (at === undefined) return;
  schedule.timer = world.clock.after(at - world.clock.now(), () => {
    run(world, schedule);
    if (nextRunOf(schedule, world.clock.now()) === undefined) complete(world, schedule);
    else arm(world, schedule);
  });
}

export function disarm(schedule: Schedule): void {
  schedule.timer?.cancel();
  schedule.timer = undefined;
}

/** Within the start and end dates, which a one-time schedule does not have. */
function nextRunOf(schedule: Schedule, now: number): number | undefined {
  const { timing, timeZone, startsAt, endsAt } = schedule;
  const start = startsAt ?? schedule.createdAt;
  const after = startsAt === undefined ? now : Math.max(now, startsAt - 1);
  const at = nextRun(timing, { after, timeZone, start });
  return at === undefined || (endsAt !== undefined && at > endsAt) ? undefined : at;
}

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
function run(world: SchedulerWorld, schedule: Schedule): void {
  const scheduledTime = new Date(world.clock.now()).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const body = (schedule.target.Input ?? '{}')
    .replaceAll('<aws.scheduler.schedule-arn>', schedule.arn)
    .replaceAll('<aws.scheduler.scheduled-time>', scheduledTime)
    .replaceAll('<aws.scheduler.execution-id>', world.random.uuid())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
  const { arn: sourceArn, target } = schedule;
  const sender = { service: 'scheduler.amazonaws.com', sourceArn, roleArn: target.RoleArn };
  deliverWithRetries(world, { target, body, sender }, () => undefined);
}

function complete(world: SchedulerWorld, schedule: Schedule): void {
  disarm(schedule);
  if (schedule.actionAfterCompletion === 'DELETE') {
    world.groups.get(schedule.groupName)?.schedules.delete(schedule.name);
  }
}
