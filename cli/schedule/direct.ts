import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import { readLaunches } from '../../shared/aws/activities.ts';
import { schedulerClient } from '../../shared/aws/clients.ts';
import {
  createSchedule,
  deleteSchedule,
  replaceSchedule,
  setScheduleEnabled,
} from '../../shared/aws/schedule-store.ts';
import { readSchedule as readRecord, readSchedules, readScheduleTarget } from '../../shared/aws/schedules.ts';
import type { Clock } from '../../shared/base/clock.ts';
import { problemsOf } from '../../shared/capacity/schedules/check-schedule.ts';
import { readDefinition } from '../../shared/capacity/schedules/definition.ts';
import { measuredLeadSeconds } from '../../shared/capacity/schedules/measured-lead.ts';
import { nextReadyAt, previewOf } from '../../shared/capacity/schedules/preview.ts';
import { isSameSchedule } from '../../shared/capacity/schedules/same-schedule.ts';
import {
  readSchedule,
  type Schedule,
  type ScheduleRecord,
  scheduleGroupOf,
} from '../../shared/capacity/schedules/schedule.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AccessFlags } from '../access/flags.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import type {
  ChangedSchedule,
  CreatedSchedule,
  CreateOptions,
  ListedSchedule,
  ScheduleChange,
  SchedulePreview,
  Schedules,
  ShownSchedule,
} from './schedules.ts';

interface Access {
  readonly autoScaling: AutoScalingAccess;
  readonly client: SchedulerClient;
  /** The schedule group of the cluster. */
  readonly groupName: string;
  readonly clock: Clock;
}

/**
 * The schedules of the cluster, with this machine's AWS credentials.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet.
 */
export function directSchedules(flags: AccessFlags, context: CliContext): Schedules {
  const autoScaling = autoScalingAccess(flags, context);
  const access: Access = {
    autoScaling,
    client: schedulerClient(awsConnection(hostOf(context, environmentOf(flags, context)))),
    groupName: scheduleGroupOf(autoScaling.clusterName),
    clock: context.clock,
  };
  return {
    list: async () => (await readSchedules(access)).map((record) => listed(record, context.clock.now())),
    preview: async (name, count) => {
      const record = await readRecord(access, name);
      if (record === undefined) throw noSchedule(access, name);
      return await previewed(access, understood(record), count);
    },
    create: (record, options) => create(access, record, options),
    change: (change, name, options) => applyChange(access, { change, name, ...options }),
  };
}

const noSchedule = ({ groupName }: Access, name: string): CliError =>
  new CliError(`there is no schedule ${name} in schedule group ${groupName}`, exitCodes.failed);

/** @throws CliError that begins with the verdict. */
function understood(record: ScheduleRecord, verdict = `schedule ${record.name} makes no holds`): Schedule {
  const reading = readSchedule(record);
  if (reading.kind === 'schedule') return reading.schedule;
  throw new CliError(`${verdict}: ${reading.why}`, exitCodes.failed);
}

function listed(record: ScheduleRecord, now: number): ListedSchedule {
  const reading = readSchedule(record);
  if (reading.kind === 'unreadable') return reading;
  return { kind: 'schedule', schedule: shown(reading.schedule), next: nextReadyAt(reading.schedule, now) };
}

const shown = ({ timing, ...schedule }: Schedule): ShownSchedule => ({
  ...schedule,
  timeZone: timing.timeZone,
});

/** With the lead as of now, measured where the schedule says so. */
async function previewed(
  { autoScaling, clock }: Access,
  schedule: Schedule,
  count: number,
): Promise<SchedulePreview> {
  const { lead, autoScalingGroupName } = schedule;
  const leadSeconds =
    lead === 'measured'
      ? measuredLeadSeconds(await readLaunches(autoScaling.client, autoScalingGroupName))
      : lead;
  const occurrences = previewOf(schedule, { now: clock.now(), leadSeconds, count });
  return { schedule: shown(schedule), leadSeconds, occurrences };
}

async function create(
  access: Access,
  record: ScheduleRecord,
  options: CreateOptions,
): Promise<CreatedSchedule> {
  const verdict = `${record.name} is not made`;
  const schedule = understood(record, verdict);
  const group = await managedGroup(access.autoScaling, schedule.autoScalingGroupName);
  const problems = problemsOf(schedule, { group, now: access.clock.now() });
  if (problems.length > 0) throw new CliError(`${verdict}: ${problems.join('; ')}`, exitCodes.failed);
  const { kind, paused } = await createOrReplace(access, record, options);
  return { change: kind, ...(await previewed(access, { ...schedule, paused }, options.count)) };
}

/** Of two that make one name at once, Scheduler takes one. */
async function createOrReplace(
  access: Access,
  record: ScheduleRecord,
  { dryRun, replace }: CreateOptions,
): Promise<{ readonly kind: CreatedSchedule['change']; readonly paused: boolean }> {
  const target = await readScheduleTarget(access);
  const before = await readRecord(access, record.name);
  if (before === undefined) {
    if (!dryRun && !(await createSchedule(access, { record, target })))
      throw new CliError(`schedule ${record.name} has just been made elsewhere: try again`, exitCodes.failed);
    return { kind: 'created', paused: false };
  }
  const paused = !before.enabled;
  if (isSameSchedule(before, record)) return { kind: 'unchanged', paused };
  if (!replace)
    throw new CliError(
      `there is a schedule ${record.name} already, which asks for something else: choose another name, or give --replace`,
      exitCodes.failed,
    );
  const replacement = { record: { ...before, ...record, enabled: before.enabled }, target };
  if (!dryRun && !(await replaceSchedule(access, replacement))) throw noSchedule(access, record.name);
  return { kind: 'replaced', paused };
}

async function applyChange(
  access: Access,
  {
    change,
    name,
    dryRun,
  }: { readonly change: ScheduleChange; readonly name: string; readonly dryRun: boolean },
): Promise<ChangedSchedule> {
  const before = await readRecord(access, name);
  if (before === undefined) throw noSchedule(access, name);
  const isChanged = change === 'delete' || before.enabled !== (change === 'resume');
  const isMissing = isChanged && !dryRun && !(await apply(access, change, name));
  if (isMissing) throw noSchedule(access, name);
  const reading = readDefinition(before.input);
  return {
    isChanged,
    autoScalingGroupName: reading.kind === 'definition' ? reading.definition.autoScalingGroupName : undefined,
  };
}

const apply = (access: Access, change: ScheduleChange, name: string): Promise<boolean> =>
  change === 'delete' ? deleteSchedule(access, name) : setScheduleEnabled(access, name, change === 'resume');
