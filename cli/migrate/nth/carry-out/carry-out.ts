import { isDeepStrictEqual } from 'node:util';
import { describeGroups, describeHooks } from '../../../../shared/aws/auto-scaling.ts';
import { messageOf } from '../../../../shared/base/message-of.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { doUnlessDone } from '../../../adopt/execute.ts';
import type { Step as AdoptStep } from '../../../adopt/plan/step.ts';
import { CliError, exitCodes } from '../../../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext } from '../../../interruption.ts';
import type { GroupPlan, MigrationPlan, Step } from '../plan/step.ts';
import { type MigrationRecord, recordKeys, recordTags, takenTagKey } from '../record.ts';
import { awaitNone, awaitNoneSinceNow } from './await.ts';
import { deleteGroupTags, putWholeHook, setGroupTags } from './changes.ts';
import { deleteIdleHook } from './idle-hook.ts';
import { moveInstanceTag } from './instance-tags.ts';

export interface CarryOutInput {
  readonly access: AdoptAccess;
  readonly waitSeconds: number;
  /** The command that goes on. */
  readonly command: string;
  /** The plan as it is now, of all groups or of one. */
  readonly planNow: (group?: string) => Promise<MigrationPlan>;
  readonly onStep: (subject: string, step: Pick<Step, 'subject' | 'does'>) => void;
}

/** Steps and what came meanwhile: an instance that was launching has the tag, and is found by the next round. */
const mostRounds = 6;

/**
 * Takes the steps of a plan, group by group, reads each group again, and goes on until nothing is left. Each step may be the last one of a
 * process that is killed: the next run plans from what it finds.
 *
 * @throws CliError if a step fails, or an instance waits for too long.
 */
export async function carryOut(
  plan: MigrationPlan,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<void> {
  for (const step of plan.access) {
    endIfInterrupted(context, `no group was changed; ${input.command} goes on`);
    await adopt(step, input, async () => (await input.planNow()).access);
    input.onStep('cluster', { subject: step.subject, does: step.shall });
  }
  for (const group of plan.groups) await carryOutGroup(group, input, context);
}

async function carryOutGroup(
  { autoScalingGroupName: group, steps }: GroupPlan,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<void> {
  const wait = steps.find(({ kind }) => kind === 'await');
  // Before anything is changed: what leaves now is drained as it began.
  if (wait?.kind === 'await')
    await awaitNone({ group, transitions: wait.transitions, state: `${group} is unchanged` }, input, context);
  const progress: Progress = { isRecorded: false, isSettled: false };
  let current: readonly Step[] = steps;
  for (let round = 0; round < mostRounds && current.length > 0; round += 1) {
    await takeSteps(group, current, { input, progress }, context);
    const next = await stepsNow(group, input);
    if (isDeepStrictEqual(next, current)) await context.pause(1000);
    current = next;
  }
  if (current.length > 0)
    throw new CliError(
      `something is left on ${group}: ${current.map(({ subject }) => subject).join(', ')}. ${input.command} goes on`,
      exitCodes.failed,
    );
}

/** @throws CliError if the group is refused by now: it would look as if nothing were left. */
async function stepsNow(group: string, { planNow, command }: CarryOutInput): Promise<readonly Step[]> {
  const { groups, refusals } = await planNow(group);
  const [refusal] = refusals;
  if (refusal === undefined) return groups.flatMap((one) => one.steps);
  throw new CliError(
    `${refusal.subject}: ${refusal.reason}. ${command} goes on once that is solved`,
    exitCodes.failed,
  );
}

/** What this process knows of a group, whatever an old description says. */
interface Progress {
  isRecorded: boolean;
  isSettled: boolean;
}

interface Taking {
  readonly input: CarryOutInput;
  readonly progress: Progress;
}

/** Until the first wait, whose end is planned again: what it took to end may have changed what is left. */
async function takeSteps(
  group: string,
  steps: readonly Step[],
  { input, progress }: Taking,
  context: InterruptibleContext,
): Promise<void> {
  for (const step of steps) {
    endIfInterrupted(context, `${group} is not done; ${input.command} goes on`);
    try {
      await takeStep(group, step, { input, progress }, context);
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw new CliError(
        `${group}: ${step.subject}: ${messageOf(error)}. ${input.command} goes on`,
        exitCodes.failed,
        error,
      );
    }
    // It comes again in the next plan.
    if (step.kind === 'await' && !progress.isSettled) {
      progress.isSettled = true;
      return;
    }
    input.onStep(group, step);
  }
}

async function takeStep(
  group: string,
  step: Step,
  { input, progress }: Taking,
  context: InterruptibleContext,
): Promise<void> {
  const { access } = input;
  const { client } = access.autoScaling;
  switch (step.kind) {
    case 'adopt':
      return await adopt(step.step, input, async () =>
        (await stepsNow(group, input)).flatMap((one) => (one.kind === 'adopt' ? [one.step] : [])),
      );
    case 'record':
      if (!progress.isRecorded) await writeRecord(group, step.record, input);
      progress.isRecorded = true;
      return;
    case 'await': {
      const state = `${group} is handed over in part, and both drain its nodes`;
      const wait = progress.isSettled ? awaitNone : awaitNoneSinceNow;
      return await wait({ group, transitions: step.transitions, state }, input, context);
    }
    case 'delete-hook':
      return await deleteIdleHook(group, step, input);
    case 'put-hook':
      return await putWholeHook(client, group, step.hook);
    case 'set-tag':
      return await setGroupTags(client, group, step.tags);
    case 'delete-tags':
      return await deleteGroupTags(client, group, step.keys);
    case 'take-tag':
      return await moveInstanceTag(access.ec2, { from: step.key, to: takenTagKey, values: step.values });
    case 'give-tag':
      return await moveInstanceTag(access.ec2, { from: takenTagKey, to: step.key, values: step.values });
  }
}

const adopt = (
  step: AdoptStep,
  { access }: Pick<CarryOutInput, 'access'>,
  stepsNow: () => Promise<readonly AdoptStep[]>,
): Promise<void> =>
  doUnlessDone(step, {
    access,
    made: new Map(),
    planNow: async () => ({ steps: await stepsNow(), refusals: [], notices: [] }),
  });

/**
 * Writes the record before the first change. Another run may have begun since the plan: its record is then there, and what is read now is not
 * what the group had. The tags are read last, because that run writes them first.
 */
async function writeRecord(
  group: string,
  record: MigrationRecord,
  { access, command }: Pick<CarryOutInput, 'access' | 'command'>,
): Promise<void> {
  const { client } = access.autoScaling;
  const hooks = await describeHooks(client, group);
  const { groups } = await describeGroups(client, { AutoScalingGroupNames: [group] });
  const tags = groups[0]?.tags ?? {};
  if (recordKeys(tags).length > 0) return;
  const isSame =
    record.hooks.every((hook) => hooks.some((one) => isDeepStrictEqual(one, hook))) &&
    Object.entries(record.tags).every(([key, before]) => tags[key] === before?.value) &&
    record.newHooks.every((name) => hooks.every((one) => one.lifecycleHookName !== name));
  if (!isSame)
    throw new CliError(`${group} was changed since the plan: ${command} plans it again`, exitCodes.failed);
  await setGroupTags(
    client,
    group,
    Object.fromEntries([...recordTags(record)].map(([key, value]) => [key, { value, propagates: false }])),
  );
}
