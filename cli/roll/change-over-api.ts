import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { rollRequests } from '../scale-api/rolls.ts';
import { type ChangeFlags, type ChangeRequest, changeWords } from './change.ts';
import { refuseFlags } from './not-over-api.ts';

const wanted = { pause: 'paused', resume: 'run', abort: 'aborted' } as const;

/**
 * Pauses, resumes or aborts a roll through the scale API, which wakes the function roll.
 *
 * @throws CliError `usage` for a wait, which reads the Nodes; ScaleApiError if the API refuses.
 */
export async function changeOverApi(
  { name, kind }: ChangeRequest,
  flags: ChangeFlags & AccessFlags,
  context: CliContext,
): Promise<void> {
  refuseFlags(flags);
  const dryRun = flags.dryRun === true;
  const body = { wanted: wanted[kind], ...(flags.retarget && { retarget: true }) };
  const { change, reason } = await rollRequests(requesterOf(flags, context)).patch(name, body, { dryRun });
  const [would, does] = changeWords[flags.retarget ? 'retarget' : kind];
  const text =
    change === 'unchanged'
      ? `roll ${name}: it is so already: ${reason}`
      : dryRun
        ? `${would} roll ${name}`
        : `roll ${name} ${does}`;
  const isDone = change === 'changed' && !dryRun;
  context.stdout.write(flags.json ? jsonText({ roll: name, done: isDone }) : `${oneLine(text)}\n`);
}
