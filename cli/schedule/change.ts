import { deleteSchedule, setScheduleEnabled } from '../../shared/aws/schedule-changes.ts';
import { readSchedule } from '../../shared/aws/schedules.ts';
import { readDefinition } from '../../shared/capacity/schedules/definition.ts';
import type { ScheduleRecord } from '../../shared/capacity/schedules/schedule.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { noSchedule, type ScheduleAccess, scheduleAccess } from './access.ts';

export interface ChangeFlags extends AutoScalingFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

type Change = 'pause' | 'resume' | 'delete';

const words = {
  pause: { done: 'paused', wanted: 'would pause' },
  resume: { done: 'resumed', wanted: 'would resume' },
  delete: { done: 'deleted', wanted: 'would delete' },
} as const;

/** Pauses, resumes or deletes a schedule. A hold that it has made stands until its end. */
export async function changeSchedule(
  change: Change,
  name: string,
  flags: ChangeFlags,
  context: CliContext,
): Promise<void> {
  const dryRun = flags.dryRun === true;
  const access = scheduleAccess(flags, context);
  const before = await readSchedule(access, name);
  if (before === undefined) throw noSchedule(access, name);
  const isDone = change !== 'delete' && before.enabled === (change === 'resume');
  if (!dryRun && !isDone && !(await apply(change, access, name))) throw noSchedule(access, name);
  const said = isDone
    ? `schedule ${name} is ${before.enabled ? 'not paused' : 'paused already'}`
    : `${words[change][dryRun ? 'wanted' : 'done']} schedule ${name}`;
  context.stdout.write(
    flags.json
      ? jsonText({ name, change: isDone ? 'unchanged' : words[change].done, dryRun })
      : `${oneLine(said)}\n${change === 'resume' || isDone || dryRun ? '' : standingHolds(before)}`,
  );
}

/** Where to look for the hold of a time that has begun: it is another parameter, and takes other rights. */
function standingHolds(record: ScheduleRecord): string {
  const reading = readDefinition(record.input);
  if (reading.kind === 'unreadable') return '';
  const group = oneLine(reading.definition.autoScalingGroupName);
  return `a hold that it has made stands until its end: drover hold list ${group}\n`;
}

async function apply(change: Change, access: ScheduleAccess, name: string): Promise<boolean> {
  if (change === 'delete') return await deleteSchedule(access, name);
  return await setScheduleEnabled(access, name, change === 'resume');
}
