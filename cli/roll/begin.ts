import { beginRoll, readRolls } from '../../shared/roll/change-roll.ts';
import { whyRefused } from '../../shared/roll/preflight.ts';
import { type ReadPreflight, readPreflight } from '../../shared/roll/read-preflight.ts';
import { formatRoll, type Roll } from '../../shared/roll/roll.ts';
import { rollStateOf } from '../../shared/roll/rolls-in.ts';
import { callerOf } from '../caller/caller.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonLine, jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { viewOf } from '../table/column.ts';
import { type RollAccess, rollAccess } from './access.ts';
import { beginText, nameFor } from './begin-text.ts';
import { assertRollsAreOn } from './deployed.ts';
import type { BeginFlags } from './flags.ts';
import { chosenGroups } from './groups.ts';
import { chooseNodegroup } from './nodegroup/choose.ts';
import { updateNodegroup } from './nodegroup/update.ts';
import { preflightSources } from './preflight-sources.ts';
import { preflightText } from './preflight-text.ts';
import { waitForRoll } from './wait.ts';
import { wakeRolls } from './wake.ts';
import { wantedRoll } from './wanted.ts';

/** Begins a roll, after it has shown what the roll meets; with `--dry-run` only that. */
export async function begin(names: readonly string[], flags: BeginFlags, context: CliContext): Promise<void> {
  const asked = wantedRoll(flags);
  const access = rollAccess(flags, context);
  const warn = (message: string): void => context.stderr.write(`warning: ${oneLine(message)}\n`);
  const { groups, nodegroup, warnings } = chooseNodegroup(await chosenGroups(names, flags, access), flags);
  for (const warning of warnings) warn(warning);
  if (nodegroup) {
    await updateNodegroup({ nodegroup, access, flags }, context);
    return;
  }
  const by = await callerOf(flags, context, 'the roll');
  const wanted = { ...asked, name: asked.name ?? nameFor(names, flags, groups), by };
  const rolls = await readRolls(access.store);
  const now = context.clock.now();
  const read = await readPreflight(
    { wanted, groups, rolls, now },
    preflightSources(groups, access, flags, context),
  );
  for (const warning of read.warnings) warn(warning);
  if (!flags.dryRun) await assertRollsAreOn(access.events, access.clusterName, warn);
  const refusal = whyRefused(read.preflight, wanted);
  const isBegun = !flags.dryRun && refusal === undefined && read.preflight.old.length > 0;
  if (isBegun) await store(read.roll, access);
  const later = isBegun ? await wakeRolls(access, context) : '';
  print(read, { isBegun, refusal, later }, flags, context);
  if (refusal !== undefined) throw new CliError(refusal, exitCodes.failed);
  if (isBegun && flags.wait) await waitForRoll(read.roll, { access, flags }, context);
}

/** @throws CliError `failed` if the name is taken, or the roll is too long for a parameter. */
async function store(roll: Roll, access: RollAccess): Promise<void> {
  const result = await beginRoll(access.store, roll);
  if (result.kind === 'begun') return;
  if (result.kind === 'invalid')
    throw new CliError(`the roll cannot be written: ${oneLine(result.why)}`, exitCodes.failed);
  throw new CliError(
    result.kind === 'too-long'
      ? `the roll has too many groups or instances for one parameter (${counted(formatRoll(roll).length, 'byte')}): make several rolls of it`
      : `a roll ${roll.name} is ${rollStateOf(result.stored).state}: choose another --name, or end it with drover roll abort ${roll.name}`,
    exitCodes.failed,
  );
}

interface Outcome {
  readonly isBegun: boolean;
  readonly refusal: string | undefined;
  /** A clause about the first pass; empty if it comes at once. */
  readonly later: string;
}

function print(
  { roll, preflight, warnings }: ReadPreflight,
  { isBegun, refusal, later }: Outcome,
  { json, wait, dryRun }: BeginFlags,
  { stdout }: CliContext,
): void {
  if (json) {
    const data = { roll: roll.name, done: isBegun, refusal: refusal ?? null, ...preflight, warnings };
    stdout.write(wait && isBegun ? jsonLine(data) : jsonText(data));
    return;
  }
  stdout.write(preflightText(preflight, roll, viewOf(stdout)));
  if (refusal !== undefined) return;
  const text = beginText(roll.name, preflight.old.length, { isDryRun: dryRun === true });
  stdout.write(`\n${text}${later}\n`);
}
