import { messageOf } from '../../shared/base/message-of.ts';
import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext, interruptible } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { manifestFiles } from '../plan/manifest-files.ts';
import { ScaleApiError } from '../scale-api/api-error.ts';
import type { Declarations } from './declared.ts';
import { isChange, planApply, type Step } from './plan.ts';
import { readFiles } from './read-files.ts';
import { type Records, recordsOf } from './records.ts';
import { diffLines, mistakesText, stepJson, stepText, subjectOf, summaryOf } from './text.ts';

export interface ApplyFlags extends AccessFlags {
  readonly filename: readonly string[];
  readonly prune?: true;
  readonly forceConflicts?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/**
 * Makes the holds and schedules of the cluster as the files declare. Everything is checked before the first change.
 *
 * @throws CliError `usage` for mistakes in the files, `failed` if a record is refused or a change fails, `interrupted` between two changes.
 */
export const apply = (flags: ApplyFlags, context: CliContext): Promise<void> =>
  interruptible(context, async (interruptibly) => {
    const dryRun = flags.dryRun === true;
    const { records, steps } = await planned(flags, context);
    const refused = steps.filter(({ action }) => action === 'refuse');
    if (refused.length > 0)
      throw new CliError(
        `nothing is applied:${mistakesText(refused.map((step) => stepText(step, { dryRun }) ?? subjectOf(step)))}`,
        exitCodes.failed,
      );
    const say = (step: Step): void => {
      const text = stepText(step, { dryRun });
      if (text !== undefined && !flags.json) context.stdout.write(`${oneLine(text)}\n`);
    };
    if (dryRun) for (const step of steps) say(step);
    const done = dryRun ? steps : await carryOut(steps, { records, say }, interruptibly);
    context.stdout.write(
      flags.json
        ? jsonText({ steps: done.map(stepJson), done: !dryRun })
        : `${summaryOf(done, { dryRun })}${dryRun ? ' (dry run)' : ''}\n`,
    );
  });

/**
 * Shows what `apply` would change.
 *
 * @throws CliError `failed` without a message if something differs, `usage` for mistakes in the files, and `couldNotLook` if the account could
 * not be read.
 */
export async function diff(flags: ApplyFlags, context: CliContext): Promise<void> {
  const { steps } = await planned(flags, context).catch((error: unknown) => {
    if (error instanceof CliError && error.exitCode === exitCodes.usage) throw error;
    throw new CliError('whether something differs is unknown', exitCodes.couldNotLook, error);
  });
  const lines = steps.flatMap(diffLines);
  context.stdout.write(
    flags.json
      ? jsonText({ steps: steps.map(stepJson) })
      : lines.map((line) => `${oneLine(line)}\n`).join(''),
  );
  const differs = steps.filter((step) => isChange(step) || step.action === 'refuse').length;
  if (differs > 0)
    throw new CliError(differs === 1 ? '1 record differs' : `${differs} records differ`, exitCodes.failed);
}

/** The plan, with the refusals of the checks that `hold create` and `schedule create` make. */
async function planned(
  flags: ApplyFlags,
  context: CliContext,
): Promise<{ readonly records: Records; readonly steps: readonly Step[] }> {
  const reading = readFiles(await manifestFiles(flags.filename, context));
  if (reading.kind === 'mistakes')
    throw new CliError(`nothing is applied:${mistakesText(reading.mistakes)}`, exitCodes.usage);
  const { declarations } = reading;
  const records = await recordsOf(flags, context);
  await refuseOtherClusters(declarations, records);
  const plan = planApply(declarations, await records.read(), {
    prune: flags.prune === true,
    force: flags.forceConflicts === true,
    now: context.clock.now(),
  });
  const steps: Step[] = [];
  for (const step of plan) steps.push(await checked(step, records));
  return { records, steps };
}

/** @throws CliError `usage` if a document is for another cluster. */
async function refuseOtherClusters({ clusters }: Declarations, records: Records): Promise<void> {
  if (clusters.length === 0) return;
  const own = await records.clusterName();
  const others = clusters.filter(({ name }) => name !== own);
  if (others.length === 0) return;
  const texts = others.map(({ name, at }) => `${at}: is for cluster ${name}, and this is ${own}`);
  throw new CliError(`nothing is applied:${mistakesText(texts)}`, exitCodes.usage);
}

/** The step, or its refusal. A failure to ask AWS is not a refusal, and rejects. */
async function checked(step: Step, records: Records): Promise<Step> {
  if (step.action !== 'create' && step.action !== 'replace' && step.action !== 'adopt') return step;
  const { declared } = step;
  try {
    await records.put(declared, { dryRun: true, replace: step.action !== 'create' });
    return step;
  } catch (error) {
    const isRefusal =
      error instanceof CliError ||
      (error instanceof ScaleApiError && !error.isPassing && error.problem !== undefined);
    if (!isRefusal) throw error;
    return { action: 'refuse', declared, why: messageOf(error) };
  }
}

/** Makes the changes, one after another: what goes, goes last. Resolves with the steps as they were carried out. */
async function carryOut(
  steps: readonly Step[],
  { records, say }: { readonly records: Records; readonly say: (step: Step) => void },
  context: InterruptibleContext,
): Promise<readonly Step[]> {
  const total = steps.filter(isChange).length;
  const done: Step[] = [];
  let made = 0;
  const state = (): string => `${made} of ${total} changes were made, and applying again makes the rest`;
  for (const planned of steps) {
    if (isChange(planned)) endIfInterrupted(context, state());
    const step = await change(planned, records).catch((cause: unknown) => {
      throw new CliError(`${subjectOf(planned)}: ${state()}`, exitCodes.failed, cause);
    });
    if (isChange(step)) made += 1;
    done.push(step);
    say(step);
  }
  return done;
}

/** The step as it was carried out. Minutes may have passed since the plan, and a record changed hands: it is not the set's to prune any more. */
async function change(step: Step, records: Records): Promise<Step> {
  if (step.action === 'prune')
    return (await records.remove(step.record)) ? step : { action: 'left', record: step.record };
  if (step.action === 'create' || step.action === 'replace' || step.action === 'adopt')
    await records.put(step.declared, { dryRun: false, replace: step.action !== 'create' });
  return step;
}
