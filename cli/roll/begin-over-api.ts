import type * as z from 'zod/mini';
import { shellWord } from '../../shared/base/shell-words.ts';
import type { begunRoll } from '../../shared/scale-api/schemas/answers/roll.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { type RollBody, rollRequests } from '../scale-api/rolls.ts';
import { viewOf } from '../table/column.ts';
import { beginText, nameFor } from './begin-text.ts';
import type { BeginFlags } from './flags.ts';
import { refuseFlags } from './not-over-api.ts';
import { unreadPodsText } from './preflight-text.ts';
import { wantedRoll } from './wanted.ts';

type BegunRoll = z.infer<typeof begunRoll>;

/**
 * Begins a roll through the scale API, which wakes the function roll; with `--dry-run` only shows what it meets. The API may not read pods: the
 * first pass looks at them.
 *
 * @throws CliError `usage` for flags that the API cannot take, and without a group; ScaleApiError if the API refuses.
 */
export async function beginOverApi(
  names: readonly string[],
  flags: BeginFlags & AccessFlags,
  context: CliContext,
): Promise<void> {
  refuseFlags(flags);
  if (names.length === 0)
    throw new CliError('give the groups: the scale API takes their names', exitCodes.usage);
  const { name: asked, ...wanted } = wantedRoll(flags);
  const groups = [...new Set(names)];
  const name =
    asked ??
    nameFor(
      groups,
      {},
      groups.map((autoScalingGroupName) => ({ autoScalingGroupName })),
    );
  const { criterion } = wanted;
  const body: RollBody = {
    groups,
    ...wanted,
    stopOn: [...wanted.stopOn],
    criterion:
      criterion.kind === 'named' ? { ...criterion, instanceIds: [...criterion.instanceIds] } : criterion,
  };
  const dryRun = flags.dryRun === true;
  const begun = await rollRequests(requesterOf(flags, context)).put(name, body, { dryRun });
  for (const warning of begun.preflight?.warnings ?? [])
    context.stderr.write(`warning: ${oneLine(warning)}\n`);
  print(begun, name, flags, context);
}

function print(
  { change, roll, preflight }: BegunRoll,
  name: string,
  flags: BeginFlags & AccessFlags,
  { stdout, clock }: CliContext,
): void {
  const isDryRun = flags.dryRun === true;
  if (flags.json) {
    stdout.write(jsonText({ roll: name, done: change === 'begun' && !isDryRun, change, ...preflight }));
    return;
  }
  if (preflight === undefined) {
    stdout.write(
      `${oneLine(`roll ${name} asks for the same already: it is ${roll?.state}: ${roll?.reason}`)}\n`,
    );
    return;
  }
  stdout.write(unreadPodsText(preflight, { window: flags.window, now: clock.now() }, viewOf(stdout)));
  const access = flags.endpoint === undefined ? ' --api' : ` --endpoint ${shellWord(flags.endpoint)}`;
  stdout.write(`\n${beginText(name, preflight.old.length, { isDryRun, access })}\n`);
}
