import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { PodRequest } from '../../shared/capacity/pod-holds/pod-request.ts';
import { holdInForce } from '../../shared/capacity/schedules/preview.ts';
import {
  formatDefinition,
  type Lead,
  type ScheduleRecord,
} from '../../shared/capacity/schedules/schedule.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import { callerOf } from '../caller/caller.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import type { PodFlags } from '../pod-request/flags.ts';
import { readPodRequest } from '../pod-request/read-request.ts';
import { viewOf } from '../table/column.ts';
import { previewJson, previewText } from './preview.ts';
import { type CreatedSchedule, schedulesOf } from './schedules.ts';

export interface CreateFlags extends AccessFlags, PodFlags {
  readonly name?: string;
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
  /** Undefined if the flags ask for pods. */
  readonly nodes: number | undefined;
}

const shownOccurrences = 5;

/** Creates a schedule, or shows what it would do. */
export async function createNamed(
  wanted: WantedSchedule,
  flags: CreateFlags,
  context: CliContext,
): Promise<void> {
  const expression = expressionOf(flags);
  const pods = await readPodRequest(flags, context);
  const { json, dryRun = false, replace = false } = flags;
  const schedules = await schedulesOf(flags, context);
  // The scale API adds its caller itself.
  const by = usesScaleApi(flags) ? undefined : await callerOf(flags, context, 'the schedule');
  const asked = recordOf({ ...wanted, pods }, flags, { expression, by });
  const made = await schedules.create(asked, { dryRun, replace, count: shownOccurrences });
  context.stdout.write(
    json
      ? jsonText({ change: made.change, dryRun, ...previewJson(made) })
      : `${textOf(made, dryRun)}\n${previewText(made, viewOf(context.stdout))}${begunText(asked, context.clock.now())}`,
  );
}

/** The preview shows the future only, and a time that has just passed still gets its hold. */
function begunText(asked: ScheduleRecord, now: number): string {
  const begun = holdInForce(asked, now);
  return begun === undefined
    ? ''
    : `\nThe time of ${isoSeconds(begun.readyAt)} has passed, and its hold until ${isoSeconds(begun.until)} is made at once.\n`;
}

/** @throws CliError without one of `--cron` and `--at`. */
function expressionOf({ cron, at }: CreateFlags): string {
  if ((cron === undefined) === (at === undefined))
    throw new CliError('give one of --cron and --at', exitCodes.usage);
  return cron === undefined ? `at(${at})` : `cron(${cron})`;
}

function recordOf(
  { name, autoScalingGroupName, nodes = 0, pods }: WantedSchedule & { readonly pods: PodRequest | undefined },
  flags: CreateFlags,
  { expression, by }: { readonly expression: string; readonly by: string | undefined },
): ScheduleRecord {
  const { timeZone, except, lead, raiseMaxSize = false } = flags;
  const definition = {
    autoScalingGroupName,
    nodes,
    ...(pods && { pods }),
    durationSeconds: flags.for,
    lead,
    exceptions: except,
    raiseMaxSize,
    ...(by !== undefined && { by }),
  };
  return { name, expression, timeZone, enabled: true, input: formatDefinition(definition) };
}

function textOf({ change, schedule: { name } }: CreatedSchedule, dryRun: boolean): string {
  if (change === 'unchanged') return `schedule ${name} already exists as requested`;
  const verb = change === 'created' ? 'create' : 'replace';
  return dryRun ? `would ${verb} schedule ${name}` : `${change} schedule ${name}`;
}
