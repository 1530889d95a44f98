import type * as z from 'zod/mini';
import { GroupsError } from '../capacity/groups.ts';
import { compactRequest, podRequestOf } from '../capacity/pod-holds/pod-request.ts';
import {
  changeSchedule,
  lookUpSchedule,
  putSchedule,
  type ScheduleWrite,
} from '../capacity/schedules/change-schedules.ts';
import { type KnownGroups, problemsOf, whyGroupless } from '../capacity/schedules/check-schedule.ts';
import { measuredLeadSeconds } from '../capacity/schedules/measured-lead.ts';
import {
  formatDefinition,
  readSchedule,
  type Schedule,
  type ScheduleRecord,
} from '../capacity/schedules/schedule.ts';
import { type HttpCall, type HttpResult, json, noContent } from './http-call.ts';
import { readPart } from './part.ts';
import { ProblemError } from './problem.ts';
import type { RouteRequest } from './router.ts';
import { findManagedGroup, listManagedGroups, makeChange, type ScaleContext } from './scale-context.ts';
import { viewSchedule, viewSchedules } from './schedule-views.ts';
import type {
  countQuery,
  dryRunQuery,
  replacingQuery,
  schedulePause,
  scheduleRequest,
} from './schemas/requests.ts';

/** API Gateway gives up after 30 seconds, and launches may have to be read as well. */
const groupsSeconds = 10;

const readGroups = (context: ScaleContext): Promise<KnownGroups> =>
  readPart(context, { what: 'the groups', seconds: groupsSeconds, read: () => listManagedGroups(context) });

/** Every schedule, by name. */
export async function listSchedules(context: ScaleContext): Promise<HttpResult> {
  const [records, groups] = await Promise.all([context.schedules().list(), readGroups(context)]);
  return json(200, { schedules: viewSchedules(records.map(readSchedule), { now: context.now(), groups }) });
}

/** One schedule with its next occurrences. */
export async function getSchedule(
  context: ScaleContext,
  { path, query: { count } }: RouteRequest<'schedule', typeof countQuery>,
): Promise<HttpResult> {
  const schedule = understood(await findSchedule(context, path.schedule));
  const problem = whyGroupless(schedule, await readGroups(context));
  const view = await previewed(context, schedule, count === undefined ? undefined : Number(count));
  return json(200, { ...view, ...(problem !== undefined && { problem }) });
}

/** @throws ProblemError with status 404. */
async function findSchedule({ schedules }: ScaleContext, name: string): Promise<ScheduleRecord> {
  const record = await lookUpSchedule(schedules(), name);
  if (record === undefined) throw scheduleNotFound();
  return record;
}

const scheduleNotFound = (): ProblemError =>
  new ProblemError({ code: 'schedule-not-found', detail: 'the cluster has no schedule with that name' });

/** @throws ProblemError if the schedule is not valid. */
function understood(record: ScheduleRecord): Schedule {
  const reading = readSchedule(record);
  if (reading.kind === 'schedule') return reading.schedule;
  throw new ProblemError({ code: 'invalid-schedule', detail: reading.why });
}

/** A schedule with its next occurrences, computed with its current lead. */
async function previewed(
  context: ScaleContext,
  schedule: Schedule,
  count?: number,
): Promise<ReturnType<typeof viewSchedule>> {
  const { lead } = schedule;
  const leadSeconds = lead === 'measured' ? measuredLeadSeconds(await readLaunches(context, schedule)) : lead;
  return viewSchedule(schedule, { now: context.now(), leadSeconds, count });
}

/** A schedule is shown, paused and deleted although its group was deleted. */
async function readLaunches({ groups }: ScaleContext, { autoScalingGroupName }: Schedule) {
  try {
    return await groups.readLaunches(autoScalingGroupName);
  } catch (error) {
    if (error instanceof GroupsError && error.code === 'gone') return [];
    throw error;
  }
}

/** Makes a schedule, or replaces it. A hold that the schedule has made lasts until its end. */
export async function createSchedule(
  context: ScaleContext,
  { call, path, query, body }: RouteRequest<'schedule', typeof replacingQuery, typeof scheduleRequest>,
): Promise<HttpResult> {
  const dryRun = query.dryRun === 'true';
  const wanted = recordOf(path.schedule, body, call);
  await checkSchedule(context, understood(wanted));
  const { kind, record } = await putSchedule(context.schedules(), wanted, {
    mayReplace: query.replace === 'true',
    dryRun,
    write: logged(context, call),
  });
  if (kind === 'taken')
    throw new ProblemError({
      code: 'schedule-taken',
      detail: 'a different schedule with that name already exists: replace it, or choose another name',
    });
  return json(kind === 'created' && !dryRun ? 201 : 200, {
    ...(await previewed(context, understood(record))),
    change: kind,
  });
}

/** Pauses a schedule, or resumes it. */
export async function pauseSchedule(
  context: ScaleContext,
  { call, path, query, body: { paused } }: RouteRequest<'schedule', typeof dryRunQuery, typeof schedulePause>,
): Promise<HttpResult> {
  const before = await findSchedule(context, path.schedule);
  const schedule = { ...understood(before), paused };
  const kind = await changeSchedule(context.schedules(), before, {
    change: paused ? 'pause' : 'resume',
    dryRun: query.dryRun === 'true',
    write: logged(context, call),
  });
  if (kind === 'missing') throw scheduleNotFound();
  const change = kind === 'unchanged' ? kind : paused ? 'paused' : 'resumed';
  return json(200, { ...(await previewed(context, schedule)), change });
}

/** Deletes a schedule. A hold that the schedule has made lasts until its end. */
export async function deleteSchedule(
  context: ScaleContext,
  { call, path, query }: RouteRequest<'schedule', typeof dryRunQuery>,
): Promise<HttpResult> {
  const kind = await changeSchedule(context.schedules(), await findSchedule(context, path.schedule), {
    change: 'delete',
    dryRun: query.dryRun === 'true',
    write: logged(context, call),
  });
  if (kind === 'missing') throw scheduleNotFound();
  return noContent();
}

/** Logs each call that changes a schedule. */
const logged =
  (context: ScaleContext, call: HttpCall) =>
  ({ action, name, ...write }: ScheduleWrite): Promise<boolean> =>
    makeChange(context, call, { action: `${action} schedule`, subject: name, ...write });

function recordOf(
  name: string,
  {
    expression,
    timeZone = 'UTC',
    nodes = 0,
    pods,
    ...definition
  }: z.infer<ReturnType<typeof scheduleRequest>>,
  call: HttpCall,
): ScheduleRecord {
  const input = formatDefinition({
    ...definition,
    nodes,
    ...(pods && { pods: compactRequest(podRequestOf(pods)) }),
    lead: definition.lead ?? 'measured',
    exceptions: definition.exceptions ?? [],
    raiseMaxSize: definition.raiseMaxSize ?? false,
    ...(call.callerArn !== undefined && { by: call.callerArn.slice(0, 512) }),
  });
  return { name, expression, timeZone, enabled: true, input };
}

/** @throws ProblemError if the schedule could not make its holds. */
async function checkSchedule(context: ScaleContext, schedule: Schedule): Promise<void> {
  const group = await findManagedGroup(context, schedule.autoScalingGroupName);
  const { maxSizeLimit } = context;
  const problems = problemsOf(schedule, { group, maxSizeLimit, now: context.now() });
  if (problems.length > 0) throw new ProblemError({ code: 'invalid-schedule', detail: problems.join('; ') });
}
