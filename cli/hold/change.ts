import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { holdsOf } from './holds.ts';
import { changedHold, holdJson, holdText } from './text.ts';
import { holdEnd, type UntilFlags } from './until.ts';

export interface ChangeFlags extends AccessFlags, UntilFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

interface HoldNames {
  readonly group: string;
  readonly name: string;
}

/** Moves the end of a hold to a later time. */
export async function extend(
  { group, name }: HoldNames,
  flags: ChangeFlags,
  context: CliContext,
): Promise<void> {
  const place = { autoScalingGroupName: group, name };
  const dryRun = flags.dryRun === true;
  const end = holdEnd(flags);
  const change = await (await holdsOf(flags, context)).extend(place, end, { dryRun });
  const now = context.clock.now();
  const hold = changedHold(change, place, now);
  if (!hold) return;
  const words =
    change.kind === 'unchanged'
      ? `${holdText(hold, now)}: it does not end earlier already`
      : holdText(hold, now);
  context.stdout.write(
    flags.json
      ? jsonText({ ...holdJson(hold), done: !dryRun && change.kind === 'extended' })
      : `${words}${dryRun ? ' (dry run)' : ''}\n`,
  );
}

/** Ends a hold immediately. */
export async function end(
  { group, name }: HoldNames,
  flags: ChangeFlags,
  context: CliContext,
): Promise<void> {
  const place = { autoScalingGroupName: group, name };
  const dryRun = flags.dryRun === true;
  const { kind, schedule } = await (await holdsOf(flags, context)).end(place, { dryRun });
  if (kind === 'missing') changedHold({ kind }, place, context.clock.now());
  const next =
    schedule === undefined
      ? ''
      : `; its schedule continues with its next time: drover schedule pause ${schedule} stops it`;
  const words = dryRun ? `would end hold ${name} of ${group}` : `ended hold ${name} of ${group}`;
  context.stdout.write(
    flags.json
      ? jsonText({ group, name, done: !dryRun })
      : `${oneLine(`${words}; MinSize follows within minutes${next}`)}\n`,
  );
}
