import { deliverWithRetries } from '../events/delivery.ts';
import { envelope } from '../events/envelope.ts';
import { nextRun } from '../events/schedule-expression.ts';
import { groupArnOf, type Schedule, type SchedulerWorld } from './model.ts';

/** Sets the timer of the schedule's next run after a moment; one without a next run is completed. */
export function arm(world: SchedulerWorld, schedule: Schedule, after = world.clock.now()): void {
  disarm(schedule);
  if (schedule.state === 'DISABLED') return;
  const at = nextRunOf(schedule, after);
  if (at === undefined) return;
  const delay = at + withinWindow(world, schedule) - world.clock.now();
  schedule.timer = world.clock.after(delay, () => {
    run(world, schedule, at);
    if (nextRunOf(schedule, at) === undefined) complete(world, schedule);
    else arm(world, schedule, at);
  });
}

/** How long after its time it runs: within the flexible window (user guide, "Configuring flexible time windows"). */
function withinWindow({ random }: SchedulerWorld, { flexibleWindow }: Schedule): number {
  if (flexibleWindow.Mode === 'OFF') return 0;
  return Math.floor(random.next() * (flexibleWindow.MaximumWindowInMinutes ?? 0) * 60_000);
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

/**
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html and, for the source,
 * cross-service-confused-deputy-prevention.html: the ARN of the schedule group.
 */
function run(world: SchedulerWorld, schedule: Schedule, at: number): void {
  const scheduledTime = new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const body = (schedule.target.Input ?? notification(world, schedule, at))
    .replaceAll('<aws.scheduler.schedule-arn>', schedule.arn)
    .replaceAll('<aws.scheduler.scheduled-time>', scheduledTime)
    .replaceAll('<aws.scheduler.execution-id>', world.random.uuid())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
  const { target } = schedule;
  const sourceArn = groupArnOf(world, schedule.groupName);
  const sender = { service: 'scheduler.amazonaws.com', sourceArn, roleArn: target.RoleArn };
  deliverWithRetries(world, { target, body, sender }, () => undefined);
}

/** "If you do not specify anything for this field, EventBridge Scheduler delivers a default notification" (Target, Input). */
const notification = (world: SchedulerWorld, { arn }: Schedule, at: number): string =>
  JSON.stringify(
    envelope(world, {
      source: 'aws.scheduler',
      detailType: 'Scheduled Event',
      resources: [arn],
      detail: '{}',
      at,
    }),
  );

function complete(world: SchedulerWorld, schedule: Schedule): void {
  disarm(schedule);
  if (schedule.actionAfterCompletion === 'DELETE') {
    world.groups.get(schedule.groupName)?.schedules.delete(schedule.name);
  }
}
