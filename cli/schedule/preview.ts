import { previewOf } from '../../shared/capacity/schedules/preview.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { leadSecondsNow, scheduleAccess, scheduleNamed } from './access.ts';
import { previewJson, previewText } from './text.ts';

export interface PreviewFlags extends AutoScalingFlags {
  readonly count: number;
  readonly json?: true;
}

/** Prints what comes of the next occurrences of a schedule. */
export async function previewSchedule(name: string, flags: PreviewFlags, context: CliContext): Promise<void> {
  const access = scheduleAccess(flags, context);
  const schedule = await scheduleNamed(access, name);
  const leadSeconds = await leadSecondsNow(access, schedule);
  const occurrences = previewOf(schedule, { now: context.clock.now(), leadSeconds, count: flags.count });
  const preview = { schedule, leadSeconds, occurrences };
  context.stdout.write(flags.json ? jsonText(previewJson(preview)) : previewText(preview));
}
