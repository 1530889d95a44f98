import { problemsOf } from '../capacity/schedules/check-schedule.ts';
import { formatDefinition } from '../capacity/schedules/definition.ts';
import { isSameSchedule } from '../capacity/schedules/same-schedule.ts';
import type { Schedule, ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { makeChange } from './changes.ts';
import type { HttpCall, HttpResult } from './http-call.ts';
import { json, noContent } from './json-result.ts';
import { ProblemError } from './problem.ts';
import type { Route } from './router.ts';
import { findManagedGroup, type ScaleContext } from './scale-context.ts';
import { findSchedule, previewed, scheduleNotFound, understood } from './schedule-routes.ts';
import { capacityRequestQuery } from './schemas/capacity-request.ts';
import { noQuery } from './schemas/parameters.ts';
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
      const { dryRun } = readQuery(call, capacityRequestQuery());
      const wanted = recordOf(name, call);
      const schedule = understood(wanted);
      await checkSchedule(context, schedule);
      if (dryRun === 'true') {
        taken(await context.schedules().read(name), wanted);
        return json(200, await previewed(context, schedule));
      }
      return await create(context, call, { wanted, schedule });
    },
  },
  {
    method: 'PATCH',
    path: onSchedule,
    role: 'operator',
    answer: async (call, { schedule: name = '' }) => {
      readQuery(call, noQuery());
      const { paused } = readBody(call, schedulePause());
      const before = await findSchedule(context, name);
      const schedule = { ...understood(before), paused };
      if (before.enabled !== !paused) {
        const isDone = await makeChange(context, call, {
          action: paused ? 'pause schedule' : 'resume schedule',
          subject: name,
          before: { paused: !before.enabled },
          after: { paused },
          make: () => context.schedules().setEnabled(name, !paused),
        });
        if (!isDone) throw scheduleNotFound();
      }
      return json(200, await previewed(context, schedule));
    },
  },
  {
    method: 'DELETE',
    path: onSchedule,
    role: 'operator',
    answer: async (call, { schedule: name = '' }) => {
      readQuery(call, noQuery());
      const { expression, timeZone, input } = await findSchedule(context, name);
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

/** Of two callers that make one name at once, Scheduler takes one; the other then reads what stands. */
async function create(
  context: ScaleContext,
  call: HttpCall,
  { wanted, schedule }: { readonly wanted: ScheduleRecord; readonly schedule: Schedule },
): Promise<HttpResult> {
  const standing = taken(await context.schedules().read(wanted.name), wanted);
  if (standing) return json(200, await previewed(context, understood(standing)));
  const { expression, timeZone, input } = wanted;
  const isNew = await makeChange(context, call, {
    action: 'create schedule',
    subject: wanted.name,
    before: {},
    after: { expression, timeZone, input },
    make: () => context.schedules().create(wanted),
  });
  if (!isNew) taken(await context.schedules().read(wanted.name), wanted);
  return json(isNew ? 201 : 200, await previewed(context, schedule));
}

/** @throws ProblemError where the name stands for something else. */
function taken(before: ScheduleRecord | undefined, wanted: ScheduleRecord): ScheduleRecord | undefined {
  if (before === undefined || isSameSchedule(before, wanted)) return before;
  throw new ProblemError({
    code: 'schedule-taken',
    detail: 'the schedule of that name asks for something else: delete it, or choose another name',
  });
}
