import { changeSchedule, putSchedule, type ScheduleWrite } from '../capacity/schedules/change-schedules.ts';
import { problemsOf } from '../capacity/schedules/check-schedule.ts';
import { formatDefinition } from '../capacity/schedules/definition.ts';
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
      await checkSchedule(context, understood(wanted));
      const { kind, record } = await putSchedule(context.schedules(), wanted, {
        mayReplace: replace === 'true',
        dryRun: dryRun === 'true',
        write: logged(context, call),
      });
      if (kind === 'taken')
        throw new ProblemError({
          code: 'schedule-taken',
          detail: 'the schedule of that name asks for something else: replace it, or choose another name',
        });
      return json(kind === 'created' && dryRun !== 'true' ? 201 : 200, {
        ...(await previewed(context, understood(record))),
        change: kind,
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
      const kind = await changeSchedule(context.schedules(), before, {
        change: paused ? 'pause' : 'resume',
        dryRun: dryRun === 'true',
        write: logged(context, call),
      });
      if (kind === 'missing') throw scheduleNotFound();
      const change = kind === 'unchanged' ? kind : paused ? 'paused' : 'resumed';
      return json(200, { ...(await previewed(context, schedule)), change });
    },
  },
  {
    method: 'DELETE',
    path: onSchedule,
    role: 'operator',
    answer: async (call, { schedule: name = '' }) => {
      const { dryRun } = readQuery(call, dryRunQuery());
      const kind = await changeSchedule(context.schedules(), await findSchedule(context, name), {
        change: 'delete',
        dryRun: dryRun === 'true',
        write: logged(context, call),
      });
      if (kind === 'missing') throw scheduleNotFound();
      return noContent();
    },
  },
];

/** Logs each call that changes a schedule. */
const logged =
  (context: ScaleContext, call: HttpCall) =>
  ({ action, name, ...write }: ScheduleWrite): Promise<boolean> =>
    makeChange(context, call, { action: `${action} schedule`, subject: name, ...write });

function recordOf(name: string, call: HttpCall): ScheduleRecord {
  const { expression, timeZone = 'UTC', ...wish } = readBody(call, scheduleRequest());
  const input = formatDefinition({
    ...wish,
    lead: wish.lead ?? 'measured',
    exceptions: wish.exceptions ?? [],
    raiseMaxSize: wish.raiseMaxSize ?? false,
    ...(call.callerArn !== undefined && { by: call.callerArn.slice(0, 512) }),
  });
  return { name, expression, timeZone, enabled: true, input };
}

/** @throws ProblemError if the schedule would not do what it says. */
async function checkSchedule(context: ScaleContext, schedule: Schedule): Promise<void> {
  const group = await findManagedGroup(context, schedule.autoScalingGroupName);
  const { maxSizeLimit } = context;
  const problems = problemsOf(schedule, { group, maxSizeLimit, now: context.now() });
  if (problems.length > 0) throw new ProblemError({ code: 'invalid-schedule', detail: problems.join('; ') });
}
