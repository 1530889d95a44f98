import { type Asked, changeRoll, readRolls } from '../../shared/roll/change-roll.ts';
import { readRetarget } from '../../shared/roll/read-preflight.ts';
import type { StoredRoll } from '../../shared/roll/rolls-in.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { type RollAccess, rollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { groupsNamed } from './groups.ts';
import { refuseNodegroup } from './nodegroup/refuse-change.ts';
import { rollNamed } from './status.ts';
import { waitForAbort } from './wait.ts';
import { wakeRolls } from './wake.ts';

export interface ChangeFlags extends RollAccessFlags {
  readonly retarget?: true;
  readonly wait?: true;
  /** Seconds; 0 for no timeout. Only with `wait`. */
  readonly timeout?: number;
  readonly dryRun?: true;
  readonly json?: true;
}

export interface ChangeRequest {
  readonly name: string;
  readonly kind: 'pause' | 'resume' | 'abort';
}

/** What a change would do, and what it does. */
export const changeWords = {
  pause: ['would pause', 'pauses: no further node is replaced, and one that leaves goes on'],
  resume: ['would resume', 'goes on'],
  retarget: ['would begin again', 'begins again, with what its groups launch now'],
  abort: ['would abort', 'ends: its taints and marks go within minutes, and one that leaves goes on'],
} as const;

/** Pauses, resumes or aborts a roll. */
export async function change(
  { name, kind }: ChangeRequest,
  flags: ChangeFlags,
  context: CliContext,
): Promise<void> {
  const access = rollAccess(flags, context);
  const known = await readRolls(access.store);
  if (!known.some((one) => one.name === name)) await refuseNodegroup(name, access, kind);
  // Throws if there is none.
  rollNamed(name, known);
  const result = await changeRoll(access.store, {
    name,
    ask: (stored) => askedOf(stored, { kind, flags, access, context }),
    now: () => context.clock.now(),
    ...(flags.dryRun && { make: () => Promise.resolve(true) }),
  });
  if (result.kind === 'missing')
    throw new CliError(`roll ${name} does not ${kind}: it was deleted meanwhile`, exitCodes.failed);
  if (result.kind === 'refused')
    throw new CliError(`roll ${name} does not ${kind}: ${oneLine(result.why)}`, exitCodes.failed);
  const isDone = result.kind === 'changed' && !flags.dryRun;
  const later = isDone ? await wakeRolls(access, context) : '';
  const [would, does] = changeWords[result.asked.kind];
  const text =
    result.kind === 'unchanged'
      ? `roll ${name}: ${result.why}`
      : flags.dryRun
        ? `${would} roll ${name}`
        : `roll ${name} ${does}${later}`;
  context.stdout.write(flags.json ? jsonText({ roll: name, done: isDone }) : `${oneLine(text)}\n`);
  if (flags.wait && !flags.dryRun) await waitForAbort(name, { access, flags }, context);
}

interface Asking {
  readonly kind: ChangeRequest['kind'];
  readonly flags: ChangeFlags;
  readonly access: RollAccess;
  readonly context: CliContext;
}

/** @throws CliError `failed` if none of the groups is left, or what one launches cannot be read. */
async function askedOf({ name, ask }: StoredRoll, { kind, flags, access, context }: Asking): Promise<Asked> {
  if (kind !== 'resume' || !flags.retarget || ask.kind === 'unreadable') return { kind };
  const names = ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const groups = await groupsNamed(names, access);
  const gone = names.filter((one) => !groups.some((group) => group.autoScalingGroupName === one));
  const unmanaged = `${oneLine(gone.join(', '))} ${gone.length === 1 ? 'is not a managed group' : 'are not managed groups'} of the cluster any more`;
  if (groups.length === 0)
    throw new CliError(
      `roll ${name} cannot begin again: ${unmanaged}: restore the tags (drover doctor), or end it with drover roll abort ${name}`,
      exitCodes.failed,
    );
  if (gone.length > 0) context.stderr.write(`warning: ${unmanaged}, and left out from now on\n`);
  const { targets, asked } = await readRetarget(groups, access.launches);
  for (const [group, target] of targets)
    if ('unknown' in target && ask.value.criterion.kind === 'changed')
      throw new CliError(
        `roll ${name} cannot begin again: what ${group} launches is unknown: ${oneLine(target.unknown)}`,
        exitCodes.failed,
      );
  return asked;
}
