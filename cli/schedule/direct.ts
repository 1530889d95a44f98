import { readLaunchesIfAny } from '../../shared/aws/activities.ts';
import { readGroups } from '../../shared/aws/auto-scaling.ts';
import { schedulerClient } from '../../shared/aws/clients.ts';
import { scheduleStore } from '../../shared/aws/schedule-store.ts';
import type { ScheduleGroup } from '../../shared/aws/schedules.ts';
import type { Clock } from '../../shared/base/clock.ts';
import {
  changeSchedule,
  lookUpSchedule,
  putSchedule,
  type ScheduleStore,
} from '../../shared/capacity/schedules/change-schedules.ts';
import {
  type KnownGroups,
  problemsOf,
  whyGroupless,
} from '../../shared/capacity/schedules/check-schedule.ts';
import { measuredLeadSeconds } from '../../shared/capacity/schedules/measured-lead.ts';
import { nextReadyAt, previewOf } from '../../shared/capacity/schedules/preview.ts';
import {
  readDefinition,
  readSchedule,
  type Schedule,
  type ScheduleRecord,
  scheduleGroupOf,
} from '../../shared/capacity/schedules/schedule.ts';
import { isManaged } from '../../shared/groups/group.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AccessFlags } from '../access/flags.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { reasonOf } from '../reason-of.ts';
import type {
  ChangedSchedule,
  ChangeOptions,
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
  readonly scheduleGroup: ScheduleGroup;
  readonly schedules: ScheduleStore;
  readonly clock: Clock;
}

/**
 * The schedules of the cluster, with this machine's AWS credentials.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is requested yet.
 */
export function directSchedules(flags: AccessFlags, context: CliContext): Schedules {
  const autoScaling = autoScalingAccess(flags, context);
  const scheduleGroup = {
    client: schedulerClient(awsConnection(hostOf(context, environmentOf(flags, context)))),
    groupName: scheduleGroupOf(autoScaling.clusterName),
  };
  const { clock } = context;
  const access = { autoScaling, scheduleGroup, schedules: scheduleStore({ ...scheduleGroup, clock }), clock };
  return {
    list: () => list(access),
    preview: (name, count) => preview(access, name, count),
    create: (record, options) => create(access, record, options),
    change: (kind, name, options) => change(access, name, { ...options, change: kind }),
  };
}

/** @throws CliError if there is no such schedule. */
async function lookUp(access: Access, name: string): Promise<ScheduleRecord> {
  const record = await lookUpSchedule(access.schedules, name);
  if (record === undefined) throw noSchedule(access, name);
  return record;
}

const noSchedule = ({ scheduleGroup }: Access, name: string): CliError =>
  new CliError(`there is no schedule ${name} in schedule group ${scheduleGroup.groupName}`, exitCodes.failed);

/** @throws CliError that begins with the verdict if the schedule cannot be read. */
function understood(record: ScheduleRecord, verdict = `schedule ${record.name} makes no holds`): Schedule {
  const reading = readSchedule(record);
  if (reading.kind === 'schedule') return reading.schedule;
  throw new CliError(`${verdict}: ${reading.why}`, exitCodes.failed);
}

async function list(access: Access): Promise<readonly ListedSchedule[]> {
  const { schedules, clock } = access;
  const records = await schedules.list();
  if (records.length === 0) return [];
  const groups = await knownGroups(access);
  return records.map((record) => listed(record, { now: clock.now(), groups }));
}

/** A schedule is shown although the groups cannot be read. */
async function knownGroups({ autoScaling: { client, clusterName } }: Access): Promise<KnownGroups> {
  try {
    const groups = await readGroups(client, clusterName);
    return { kind: 'known', value: groups.filter((group) => isManaged(group, clusterName)) };
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) };
  }
}

async function preview(access: Access, name: string, count: number): Promise<SchedulePreview> {
  const schedule = understood(await lookUp(access, name));
  const problem = whyGroupless(schedule, await knownGroups(access));
  return { ...(await previewed(access, schedule, count)), problem };
}

function listed(
  record: ScheduleRecord,
  { now, groups }: { readonly now: number; readonly groups: KnownGroups },
): ListedSchedule {
  const reading = readSchedule(record);
  if (reading.kind === 'unreadable') return reading;
  const { schedule } = reading;
  return {
    kind: 'schedule',
    schedule: shown(schedule),
    next: nextReadyAt(schedule, now),
    problem: whyGroupless(schedule, groups),
  };
}

const shown = ({ timing, ...schedule }: Schedule): ShownSchedule => ({
  ...schedule,
  timeZone: timing.timeZone,
});

/** With the current lead, measured if the schedule asks for that. */
async function previewed(
  { autoScaling, clock }: Access,
  schedule: Schedule,
  count: number,
): Promise<SchedulePreview> {
  const { lead, autoScalingGroupName } = schedule;
  const leadSeconds =
    lead === 'measured'
      ? measuredLeadSeconds(await readLaunchesIfAny(autoScaling.client, autoScalingGroupName))
      : lead;
  const occurrences = previewOf(schedule, { now: clock.now(), leadSeconds, count });
  return { schedule: shown(schedule), leadSeconds, occurrences };
}

async function create(
  access: Access,
  record: ScheduleRecord,
  { dryRun, replace, count }: CreateOptions,
): Promise<CreatedSchedule> {
  const { name } = record;
  const verdict = `${name} is not created`;
  const schedule = understood(record, verdict);
  const group = await managedGroup(access.autoScaling, schedule.autoScalingGroupName);
  // Only the deployment knows maxSizeLimit: prewarm applies it, as it does to holds.
  const problems = problemsOf(schedule, { group, now: access.clock.now() });
  if (problems.length > 0) throw new CliError(`${verdict}: ${problems.join('; ')}`, exitCodes.failed);
  const put = await putSchedule(access.schedules, record, { dryRun, mayReplace: replace });
  if (put.kind === 'taken')
    throw new CliError(
      `schedule ${name} already exists and asks for something else: choose another name, or use --replace`,
      exitCodes.failed,
    );
  return { change: put.kind, ...(await previewed(access, understood(put.record), count)) };
}

async function change(
  access: Access,
  name: string,
  { ofSet, ...options }: ChangeOptions & { readonly change: ScheduleChange },
): Promise<ChangedSchedule> {
  const before = await lookUpSchedule(access.schedules, name);
  if (before === undefined) return missing(access, name, ofSet);
  const reading = readDefinition(before.input);
  const { autoScalingGroupName, set } =
    reading.kind === 'definition' ? reading.definition : { autoScalingGroupName: undefined, set: undefined };
  if (ofSet !== undefined && set !== ofSet) return { isChanged: false, autoScalingGroupName };
  const kind = await changeSchedule(access.schedules, before, options);
  if (kind === 'missing') return missing(access, name, ofSet);
  return { isChanged: kind === 'changed', autoScalingGroupName };
}

/** @throws CliError unless the schedule was to be deleted for a set. */
function missing(access: Access, name: string, ofSet: string | undefined): ChangedSchedule {
  if (ofSet === undefined) throw noSchedule(access, name);
  return { isChanged: true, autoScalingGroupName: undefined };
}
