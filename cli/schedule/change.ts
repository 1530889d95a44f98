import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { type ChangedSchedule, type ScheduleChange, schedulesOf } from './schedules.ts';

export interface ChangeFlags extends AccessFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

const texts = {
  pause: { done: 'paused', wanted: 'would pause', needless: 'is already paused' },
  resume: { done: 'resumed', wanted: 'would resume', needless: 'is not paused' },
  delete: { done: 'deleted', wanted: 'would delete', needless: 'is already deleted' },
} as const;

/** Pauses, resumes or deletes a schedule. Its existing holds last until their ends. */
export async function changeSchedule(
  change: ScheduleChange,
  name: string,
  flags: ChangeFlags,
  context: CliContext,
): Promise<void> {
  const dryRun = flags.dryRun === true;
  const changed = await (await schedulesOf(flags, context)).change(change, name, { dryRun });
  const { isChanged } = changed;
  const { done, wanted, needless } = texts[change];
  const text = isChanged ? `${dryRun ? wanted : done} schedule ${name}` : `schedule ${name} ${needless}`;
  const makesFewerHolds = isChanged && !dryRun && change !== 'resume';
  context.stdout.write(
    flags.json
      ? jsonText({ name, change: isChanged ? done : 'unchanged', dryRun })
      : `${oneLine(text)}\n${makesFewerHolds ? existingHolds(changed) : ''}`,
  );
}

/** The command that lists the hold of a time that has begun: holds are other parameters and take other rights. */
const existingHolds = ({ autoScalingGroupName: group }: ChangedSchedule): string =>
  group === undefined
    ? ''
    : `existing holds of it last until their ends: drover hold list ${oneLine(group)}\n`;
