import { endHold, extendHold, findHold } from '../../shared/capacity/holds/change-holds.ts';
import { scheduleOf } from '../../shared/capacity/holds/hold.ts';
import { refuseEnd } from '../../shared/capacity/holds/wish.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { holdAccess } from './access.ts';
import { changedHold } from './outcome.ts';
import { holdJson, holdText } from './text.ts';
import { endOfHold, type UntilFlags } from './until.ts';

export interface ChangeFlags extends AutoScalingFlags, UntilFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

interface Named {
  readonly group: string;
  readonly name: string;
}

/** Moves the end of a hold to a later time. */
export async function extend({ group, name }: Named, flags: ChangeFlags, context: CliContext): Promise<void> {
  const now = context.clock.now();
  const until = endOfHold(flags, now);
  const refusal = refuseEnd(until, now);
  if (refusal) throw new CliError(refusal.reason, exitCodes.failed);
  const place = { autoScalingGroupName: group, name };
  const store = holdAccess(flags, context).store();
  const parameters = flags.dryRun ? { ...store.parameters, write: async () => undefined } : store.parameters;
  const change = await extendHold({ ...store, parameters }, place, until);
  const hold = changedHold(change, place, now);
  if (!hold) return;
  const words =
    change.kind === 'unchanged' ? `${holdText(hold, now)}: it ends no earlier already` : holdText(hold, now);
  context.stdout.write(
    flags.json
      ? jsonText({ ...holdJson(hold), done: !flags.dryRun && change.kind === 'extended' })
      : `${words}${flags.dryRun ? ' (dry run)' : ''}\n`,
  );
}

/** Ends a hold at once. */
export async function end({ group, name }: Named, flags: ChangeFlags, context: CliContext): Promise<void> {
  const place = { autoScalingGroupName: group, name };
  const store = holdAccess(flags, context).store();
  const found = await findHold(store, place);
  const { kind } = flags.dryRun ? found : await endHold(store, place);
  if (kind === 'missing') changedHold({ kind }, place, context.clock.now());
  const schedule = found.kind === 'hold' ? scheduleOf(found.hold) : undefined;
  const next =
    schedule === undefined
      ? ''
      : `; its schedule goes on with its next time: drover schedule pause ${schedule} stops it`;
  const words = flags.dryRun ? `would end hold ${name} of ${group}` : `ended hold ${name} of ${group}`;
  context.stdout.write(
    flags.json
      ? jsonText({ group, name, done: !flags.dryRun })
      : `${oneLine(`${words}; MinSize follows within minutes${next}`)}\n`,
  );
}
