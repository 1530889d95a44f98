import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { type ChangedSchedule, type ScheduleChange, schedulesOf } from './schedules.ts';

export interface ChangeFlags extends AccessFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

const words = {
  pause: { done: 'paused', wanted: 'would pause', needless: 'is paused already' },
  resume: { done: 'resumed', wanted: 'would resume', needless: 'is not paused' },
  delete: { done: 'deleted', wanted: 'would delete', needless: 'is deleted already' },
} as const;

/** Pauses, resumes or deletes a schedule. A hold that it has made stands until its end. */
export async function changeSchedule(
  change: ScheduleChange,
  name: string,
  flags: ChangeFlags,
  context: CliContext,
): Promise<void> {
  const dryRun = flags.dryRun === true;
  const changed = await (await schedulesOf(flags, context)).change(change, name, { dryRun });
  const { isChanged } = changed;
  const { done, wanted, needless } = words[change];
  const said = isChanged ? `${dryRun ? wanted : done} schedule ${name}` : `schedule ${name} ${needless}`;
  const isLess = isChanged && !dryRun && change !== 'resume';
  context.stdout.write(
    flags.json
      ? jsonText({ name, change: isChanged ? done : 'unchanged', dryRun })
      : `${oneLine(said)}\n${isLess ? standingHolds(changed) : ''}`,
  );
}

/** Where to look for the hold of a time that has begun: it is another parameter, and takes other rights. */
const standingHolds = ({ autoScalingGroupName: group }: ChangedSchedule): string =>
  group === undefined
    ? ''
    : `a hold that it has made stands until its end: drover hold list ${oneLine(group)}\n`;
