import { createSchedule, replaceSchedule } from '../../shared/aws/schedule-changes.ts';
import { readScheduleTarget } from '../../shared/aws/schedule-group.ts';
import { readSchedule as readRecord } from '../../shared/aws/schedules.ts';
import { problemsOf } from '../../shared/capacity/schedules/check-schedule.ts';
import { formatDefinition, type Lead } from '../../shared/capacity/schedules/definition.ts';
import { previewOf } from '../../shared/capacity/schedules/preview.ts';
import { isSameSchedule } from '../../shared/capacity/schedules/same-schedule.ts';
import type { Schedule, ScheduleRecord } from '../../shared/capacity/schedules/schedule.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { leadSecondsNow, type ScheduleAccess, scheduleAccess, understood } from './access.ts';
import { previewJson, previewText } from './text.ts';

export interface CreateFlags extends AutoScalingFlags {
  readonly cron?: string;
  readonly at?: string;
  readonly timeZone: string;
  readonly for: number;
  readonly lead: Lead;
  readonly except: readonly string[];
  readonly raiseMaxSize?: true;
  readonly replace?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export interface WantedSchedule {
  readonly name: string;
  readonly autoScalingGroupName: string;
  readonly nodes: number;
}

const shownOccurrences = 5;

/** Makes a schedule, or says what it would do. */
export async function createNamed(
  wanted: WantedSchedule,
  flags: CreateFlags,
  context: CliContext,
): Promise<void> {
  const access = scheduleAccess(flags, context);
  const asked = recordOf(wanted, flags, context);
  const now = context.clock.now();
  const schedule = understood(asked);
  const group = await managedGroup(access.autoScaling, wanted.autoScalingGroupName);
  const problems = problemsOf(schedule, { group, now });
  if (problems.length > 0)
    throw new CliError(`${wanted.name} is not made: ${problems.join('; ')}`, exitCodes.failed);
  const change = await applyChange(access, asked, flags);
  const leadSeconds = await leadSecondsNow(access, schedule);
  const occurrences = previewOf(schedule, { now, leadSeconds, count: shownOccurrences });
  const preview = { schedule: { ...schedule, paused: change.paused }, leadSeconds, occurrences };
  const { kind } = change;
  context.stdout.write(
    flags.json
      ? jsonText({ change: kind, dryRun: flags.dryRun === true, ...previewJson(preview) })
      : `${wordsOf(kind, schedule, flags)}\n${previewText(preview)}`,
  );
}

/** @throws CliError without one of `--cron` and `--at`. */
function recordOf(wanted: WantedSchedule, flags: CreateFlags, { environment }: CliContext): ScheduleRecord {
  const { name, ...floor } = wanted;
  const { cron, at, timeZone, except, lead, raiseMaxSize = false } = flags;
  if ((cron === undefined) === (at === undefined))
    throw new CliError('give one of --cron and --at', exitCodes.usage);
  const by = environment.USER ?? environment.LOGNAME;
  const definition = {
    ...floor,
    durationSeconds: flags.for,
    lead,
    exceptions: [...new Set(except)].sort(),
    raiseMaxSize,
    ...(by !== undefined && { by }),
  };
  const expression = cron === undefined ? `at(${at})` : `cron(${cron})`;
  return { name, expression, timeZone, enabled: true, input: formatDefinition(definition) };
}

type ChangeKind = 'created' | 'replaced' | 'unchanged';

/** Of two that make one name at once, Scheduler takes one. */
async function applyChange(
  access: ScheduleAccess,
  record: ScheduleRecord,
  { dryRun, replace }: CreateFlags,
): Promise<{ readonly kind: ChangeKind; readonly paused: boolean }> {
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
  if (!dryRun)
    await replaceSchedule(access, { record: { ...before, ...record, enabled: before.enabled }, target });
  return { kind: 'replaced', paused };
}

function wordsOf(kind: ChangeKind, { name }: Schedule, { dryRun }: CreateFlags): string {
  if (kind === 'unchanged') return `schedule ${name} is as asked for already`;
  const verb = kind === 'created' ? 'make' : 'replace';
  return dryRun
    ? `would ${verb} schedule ${name}`
    : `${kind === 'created' ? 'made' : 'replaced'} schedule ${name}`;
}
