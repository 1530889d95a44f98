import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { holdsOf } from './holds.ts';
import { changedHold } from './outcome.ts';
import { holdJson, holdText } from './text.ts';
import { holdEnd, type UntilFlags } from './until.ts';
import { waitForHold } from './wait.ts';

export interface CreateFlags extends AccessFlags, UntilFlags {
  readonly name?: string;
  readonly raiseMaxSize?: true;
  readonly wait?: true;
  /** Seconds; 0 is without end. */
  readonly timeout: number;
  readonly dryRun?: true;
  readonly json?: true;
}

interface Wish {
  readonly group: string;
  readonly nodes: number;
}

/** Makes a hold, or with `--dry-run` says what it would be. */
export async function create({ group, nodes }: Wish, flags: CreateFlags, context: CliContext): Promise<void> {
  const wish = {
    autoScalingGroupName: group,
    name: flags.name ?? nameOf(context.environment.USER ?? context.environment.LOGNAME),
    nodes,
    raiseMaxSize: flags.raiseMaxSize === true,
    end: holdEnd(flags),
  };
  const holds = await holdsOf(flags, context);
  const dryRun = flags.dryRun === true;
  const change = await holds.create(wish, { dryRun });
  const hold = changedHold(change, wish, context.clock.now());
  if (!hold) return;
  const isNew = change.kind === 'created';
  if (!flags.json || !flags.wait || dryRun) say({ hold, isNew }, flags, context);
  if (flags.wait && !dryRun) await waitForHold({ hold, holds, flags }, context);
}

function say(
  { hold, isNew }: { readonly hold: Hold; readonly isNew: boolean },
  { json, dryRun }: CreateFlags,
  { clock, stdout }: CliContext,
): void {
  const text = `${holdText(hold, clock.now())}${isNew ? '' : ': it stands already'}`;
  stdout.write(
    json ? jsonText({ ...holdJson(hold), done: !dryRun && isNew }) : `${text}${dryRun ? ' (dry run)' : ''}\n`,
  );
}

/** The name of a user, with other characters than names of holds have left out. */
const nameOf = (user: string | undefined): string =>
  user
    ?.replaceAll(/[^A-Za-z0-9.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64) || 'manual';
