import { readRolls } from '../../shared/roll/change-roll.ts';
import { hasEnded, type StoredRoll } from '../../shared/roll/rolls-in.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { viewOf } from '../table/column.ts';
import { rollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { findNodegroup } from './nodegroup/find.ts';
import { showUpdate } from './nodegroup/show-update.ts';
import { observeRollWithPools } from './observe.ts';
import { statusText } from './status-text.ts';
import { waitForRoll } from './wait.ts';

export interface StatusFlags extends RollAccessFlags {
  readonly json?: true;
  readonly wait?: true;
  /** Seconds; 0 for no timeout. */
  readonly timeout: number;
}

/**
 * Shows how far a roll is, or each that has not ended, or the update of a managed node group of EKS; with `--wait` until it has ended.
 *
 * @throws CliError `usage` if it is not said what to wait for, `failed` if there is no such roll, and with `--wait` if it has not succeeded.
 */
export async function status(
  name: string | undefined,
  flags: StatusFlags,
  context: CliContext,
): Promise<void> {
  if (flags.wait && name === undefined)
    throw new CliError('give the name of the roll to wait for', exitCodes.usage);
  const access = rollAccess(flags, context);
  const all = await readRolls(access.store);
  if (name !== undefined && !all.some((one) => one.name === name)) {
    const nodegroup = await findNodegroup(name, access);
    if (nodegroup) {
      await showUpdate({ nodegroup, access, flags }, context);
      return;
    }
  }
  const chosen = name === undefined ? all.filter((one) => !hasEnded(one)) : [rollNamed(name, all)];
  const [one] = chosen;
  if (flags.wait && one?.ask.kind === 'read') {
    await waitForRoll(one.ask.value, { access, flags }, context);
    return;
  }
  const observed = await Promise.all(chosen.map((one) => observeRollWithPools(one, access, flags, context)));
  const { stdout } = context;
  if (flags.json) stdout.write(jsonText(name === undefined ? observed : observed[0]));
  else if (observed.length === 0) stdout.write('no roll\n');
  else stdout.write(observed.map((one, index) => [index > 0 ? '\n' : '', statusText(one, viewOf(stdout))]));
}

/** @throws CliError `failed` if there is no such roll. */
export function rollNamed(name: string, rolls: readonly StoredRoll[]): StoredRoll {
  const found = rolls.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = rolls.map((one) => one.name);
  throw new CliError(
    `there is no roll ${name}${names.length === 0 ? '' : `: there is ${names.join(', ')}`}`,
    exitCodes.failed,
  );
}
