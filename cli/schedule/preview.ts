import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { viewOf } from '../table/column.ts';
import { schedulesOf } from './schedules.ts';
import { previewJson, previewText } from './text.ts';

export interface PreviewFlags extends AccessFlags {
  readonly count: number;
  readonly json?: true;
}

/** Prints what comes of the next occurrences of a schedule. */
export async function previewSchedule(name: string, flags: PreviewFlags, context: CliContext): Promise<void> {
  const preview = await (await schedulesOf(flags, context)).preview(name, flags.count);
  context.stdout.write(
    flags.json ? jsonText(previewJson(preview)) : previewText(preview, viewOf(context.stdout)),
  );
}
