import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import { schedulerClient } from '../../shared/aws/clients.ts';
import { readLaunches } from '../../shared/aws/launches.ts';
import { readSchedule as readRecord } from '../../shared/aws/schedules.ts';
import { measuredLeadSeconds } from '../../shared/capacity/schedules/measured-lead.ts';
import {
  readSchedule,
  type Schedule,
  type ScheduleRecord,
  scheduleGroupOf,
} from '../../shared/capacity/schedules/schedule.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';

/** Scheduler and Auto Scaling with this machine's credentials. */
export interface ScheduleAccess {
  readonly autoScaling: AutoScalingAccess;
  readonly client: SchedulerClient;
  /** The schedule group of the cluster. */
  readonly groupName: string;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function scheduleAccess(flags: AutoScalingFlags, context: CliContext): ScheduleAccess {
  const autoScaling = autoScalingAccess(flags, context);
  const host = hostOf(context, environmentOf(flags, context));
  return {
    autoScaling,
    client: schedulerClient(awsConnection(host)),
    groupName: scheduleGroupOf(autoScaling.clusterName),
  };
}

/** @throws CliError where there is no such schedule, or it cannot be read. */
export async function scheduleNamed(access: ScheduleAccess, name: string): Promise<Schedule> {
  const record = await readRecord(access, name);
  if (record === undefined) throw noSchedule(access, name);
  return understood(record);
}

export const noSchedule = ({ groupName }: ScheduleAccess, name: string): CliError =>
  new CliError(`there is no schedule ${name} in schedule group ${groupName}`, exitCodes.failed);

/** @throws CliError */
export function understood(record: ScheduleRecord): Schedule {
  const reading = readSchedule(record);
  if (reading.kind === 'schedule') return reading.schedule;
  throw new CliError(`schedule ${reading.name} makes no holds: ${reading.why}`, exitCodes.failed);
}

/** The lead of a schedule as of now, measured where it says so. */
export async function leadSecondsNow(
  { autoScaling }: ScheduleAccess,
  { lead, autoScalingGroupName }: Schedule,
): Promise<number> {
  if (lead !== 'measured') return lead;
  return measuredLeadSeconds(await readLaunches(autoScaling.client, autoScalingGroupName));
}
