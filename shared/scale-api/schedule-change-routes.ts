import { problemsOf } from '../capacity/schedules/check-schedule.ts';
import { formatDefinition } from '../capacity/schedules/definition.ts';
import { isSameSchedule } from '../capacity/schedules/same-schedule.ts';
import type { Schedule, ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { makeChange } from './changes.ts';
import type { HttpCall } from './http-call.ts';
import { json, noContent } from './json-result.ts';
import { ProblemError } from './problem.ts';
import type { Route } from './router.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import { findSchedule, previewed, scheduleNotFound, understood } from './schedule-routes.ts';
import { dryRunQuery, replacingQuery } from './schemas/parameters.ts';
import { schedulePause, scheduleRequest } from './schemas/schedule.ts';
import { readBody, readQuery } from './validate.ts';

const onSchedule = '/schedules/{schedule}';

/** PUT, PATCH (pause and resume) and DELETE of one schedule. A hold that a schedule has made stands until its end. */
export const scheduleChangeRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'PUT',
    path: onSchedule,
    role: 'operator',
    answer: async (call, { schedule: name = '' }) => {
      const { dryRun, replace } = readQuery(call, replacingQuery());
      const wanted = recordOf(name, call);
      const schedule = understood(wanted);
      await checkSchedule(context, schedule);
      const before = await context.schedules().read(name);
      const change = planSchedule(before, wanted, { mayReplace: replace === 'true' });
      const made = dryRun === 'true' ? change : await apply(context, call, { change, before, wanted });
      const standing = change === 'unchanged' && before ? understood(before) : schedule;
      const paused = before?.enabled === false;
      return json(made === 'created' && dryRun !== 'true' ? 201 : 200, {
        ...(await previewed(context, { ...standing, paused })),
        change: made,
      });
    },
  },
  {
    method: 'PATCH',
    path: onSchedule,
    role: 'operator',
    answer: async (call, { schedule: name = '' }) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const { paused } = readBody(call, schedulePause());
      const before = await findSchedule(context, name);
      const schedule = { ...understood(before), paused };
      const change = before.enabled !== paused ? 'unchanged' : paused ? 'paused' : 'resumed';
      if (change !== 'unchanged' && dryRun !== 'true') {
        const isDone = await makeChange(context, call, {
          action: paused ? 'pause schedule' : 'resume schedule',
          subject: name,
          before: { paused: !before.enabled },
          after: { paused },
          make: () => context.schedules().setEnabled(name, !paused),
        });
        if (!isDone) throw scheduleNotFound();
      }
      return json(200, { ...(await previewed(context, schedule)), change });
    },
  },
  {
    method: 'DELETE',
    path: onSchedule,
    role: 'operator',
    answer: async (call, { schedule: name = '' }) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const { expression, timeZone, input } = await findSchedule(context, name);
      if (dryRun === 'true') return noContent();
      const isDone = await makeChange(context, call, {
        action: 'delete schedule',
        subject: name,
        before: { expression, timeZone, input },
        after: {},
        make: () => context.schedules().remove(name),
      });
      if (!isDone) throw scheduleNotFound();
      return noContent();
    },
  },
];

function recordOf(name: string, call: HttpCall): ScheduleRecord {
  const { expression, timeZone = 'UTC', ...wish } = readBody(call, scheduleRequest());
  const input = formatDefinition({
    ...wish,
    lead: wish.lead ?? 'measured',
    exceptions: [...new Set(wish.exceptions)].sort(),
    raiseMaxSize: wish.raiseMaxSize ?? false,
    ...(call.callerArn !== undefined && { by: call.callerArn.slice(0, 512) }),
  });
  return { name, expression, timeZone, enabled: true, input };
}

/** @throws ProblemError where the schedule would not do what it says. */
async function checkSchedule(context: ScaleContext, schedule: Schedule): Promise<void> {
  const group = await findManagedGroup(context, schedule.autoScalingGroupName);
  const { nodes, raiseMaxSize } = schedule;
  const { maxSizeLimit } = context;
  const problems = [
    ...problemsOf(schedule, { group, now: context.now() }),
    ...(raiseMaxSize && nodes > Math.max(maxSizeLimit, group.maxSize)
      ? [`maxSizeLimit of the deployment is ${maxSizeLimit}`]
      : []),
  ];
  if (problems.length > 0) throw new ProblemError({ code: 'invalid-schedule', detail: problems.join('; ') });
}

type ChangeKind = 'created' | 'replaced' | 'unchanged';

/** @throws ProblemError where the name stands for something else, which may not be replaced. */
function planSchedule(
  before: ScheduleRecord | undefined,
  wanted: ScheduleRecord,
  { mayReplace }: { readonly mayReplace: boolean },
): ChangeKind {
  if (before === undefined) return 'created';
  if (isSameSchedule(before, wanted)) return 'unchanged';
  if (mayReplace) return 'replaced';
  throw new ProblemError({
    code: 'schedule-taken',
    detail: 'the schedule of that name asks for something else: replace it, or choose another name',
  });
}

/** Of two callers that make one name at once, Scheduler takes one; the other then reads what stands. */
async function apply(
  context: ScaleContext,
  call: HttpCall,
  {
    change,
    before,
    wanted,
  }: {
    readonly change: ChangeKind;
    readonly before: ScheduleRecord | undefined;
    readonly wanted: ScheduleRecord;
  },
): Promise<ChangeKind> {
  if (change === 'unchanged') return change;
  const { name } = wanted;
  const isDone = await makeChange(context, call, {
    action: change === 'created' ? 'create schedule' : 'replace schedule',
    subject: name,
    before: before ? loggedFields(before) : {},
    after: loggedFields(wanted),
    make: () =>
      before
        ? context.schedules().replace({ ...before, ...wanted, enabled: before.enabled })
        : context.schedules().create(wanted),
  });
  if (isDone) return change;
  const standing = before ? undefined : await context.schedules().read(name);
  if (standing === undefined) throw scheduleNotFound();
  return planSchedule(standing, wanted, { mayReplace: false });
}

const loggedFields = ({ expression, timeZone, input }: ScheduleRecord): object => ({
  expression,
  timeZone,
  input,
});
