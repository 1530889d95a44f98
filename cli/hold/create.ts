import { createHold } from '../../shared/capacity/holds/change-holds.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import { refuseHold } from '../../shared/capacity/holds/wish.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { holdAccess } from './access.ts';
import { changedHold } from './outcome.ts';
import { holdJson, holdText } from './text.ts';
import { endOfHold, type UntilFlags } from './until.ts';
import { waitForHold } from './wait.ts';

export interface CreateFlags extends AutoScalingFlags, ClusterFlags, UntilFlags {
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
  const now = context.clock.now();
  const user = context.environment.USER ?? context.environment.LOGNAME;
  const hold: Hold = {
    autoScalingGroupName: group,
    name: flags.name ?? nameOf(user),
    nodes,
    until: endOfHold(flags, now),
    raiseMaxSize: flags.raiseMaxSize === true,
    createdAt: now,
    ...(user && { by: user }),
  };
  const access = holdAccess(flags, context);
  const refusal = refuseHold(await managedGroup(access, group), hold, { now });
  if (refusal) throw new CliError(`no hold for ${group}: ${refusal.reason}`, exitCodes.failed);
  if (flags.dryRun) {
    context.stdout.write(
      flags.json ? jsonText({ ...holdJson(hold), done: false }) : `${holdText(hold, now)} (dry run)\n`,
    );
    return;
  }
  const change = await createHold(access.store(), hold);
  const made = changedHold(change, hold, now) ?? hold;
  if (flags.wait) {
    if (!flags.json) context.stdout.write(`${holdText(made, now)}\n`);
    await waitForHold({ hold: made, access, flags }, context);
    return;
  }
  context.stdout.write(flags.json ? jsonText({ ...holdJson(made), done: true }) : `${holdText(made, now)}\n`);
}

/** The name of a user, with other characters than names of holds have left out. */
const nameOf = (user: string | undefined): string =>
  user
    ?.replaceAll(/[^A-Za-z0-9.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64) || 'manual';
