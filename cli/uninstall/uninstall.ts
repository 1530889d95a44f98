import { messageOf } from '../../shared/base/message-of.ts';
import { callerOf, withoutAccount } from '../caller/caller.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import {
  endIfInterrupted,
  type InterruptibleContext,
  interruptible,
  unlessInterrupted,
} from '../interruption.ts';
import type { LeaveAccessFlags } from '../leave/access.ts';
import { type CarryOutInput, carryOutLeave } from '../leave/carry-out.ts';
import { pauseAtOnce } from '../leave/pause-at-once.ts';
import { namingPaused } from '../leave/still-paused.ts';
import { doneLine } from '../leave/text.ts';
import { oneLine } from '../plain-text.ts';
import { type UninstallAccess, uninstallAccess } from './access.ts';
import { planGroups } from './groups.ts';
import { kindsOf } from './kinds.ts';
import { stackOf } from './stages.ts';
import { survey } from './survey.ts';
import { proofText, stackWords, type UninstallPlan, uninstallJson, uninstallPlanText } from './text.ts';

export interface UninstallFlags extends LeaveAccessFlags, ConfirmFlags {
  readonly stage?: string;
  /** Seconds to wait until no instance of a group waits. */
  readonly wait: number;
  readonly allParameters?: true;
}

const command = 'drover uninstall';

/** Takes all groups out of Drover's care, deletes what the deployment has left, and proves that nothing is left. */
export async function uninstall(flags: UninstallFlags, context: CliContext): Promise<void> {
  const access = uninstallAccess(flags, context);
  const read = (): Promise<UninstallPlan> => planOf(access, flags, context);
  const plan = await read();
  const { stdout } = context;
  if (!flags.json) stdout.write(uninstallPlanText(plan));
  if (
    !isClean(plan) &&
    !(await confirmed(`Remove Drover from cluster ${plan.clusterName}?`, flags, context))
  ) {
    if (flags.json) stdout.write(uninstallJson(plan, { done: false, complete: false }));
    return;
  }
  await interruptible(context, async (interruptibly) => {
    if (!isClean(plan)) await carryOut(plan, { access, flags }, interruptibly);
    const left = await settled(read, isClean(plan) ? 0 : mostReads, interruptibly);
    const complete = isClean(left) && left.surveys.every(({ status }) => status !== 'unread');
    stdout.write(flags.json ? uninstallJson(left, { done: true, complete }) : proofText(left));
    if (!complete)
      throw new CliError(
        left.stack === undefined
          ? `something is left, or could not be read: ${command} goes on`
          : stackWords(left.stack),
        exitCodes.failed,
      );
  });
}

/** Nothing is left that this command could delete. */
const isClean = ({ groups, stack, surveys }: UninstallPlan): boolean =>
  groups.length === 0 &&
  stack === undefined &&
  surveys.every((one) => one.status !== 'read' || one.found.length === 0);

/** "You must wait 60 seconds after deleting a queue" until it is no longer listed (SQS API reference, DeleteQueue). */
const mostReads = 4;
const betweenReadsMilliseconds = 20_000;

/** What is left, once what was just deleted is no longer listed. */
async function settled(
  read: () => Promise<UninstallPlan>,
  attempts: number,
  context: InterruptibleContext,
): Promise<UninstallPlan> {
  for (let attempt = 1; ; attempt += 1) {
    const left = await read();
    if (isClean(left) || left.stack !== undefined || attempt >= attempts) return left;
    await unlessInterrupted(
      context.pause(betweenReadsMilliseconds),
      context,
      `what was deleted may still be listed; ${command} proves it`,
    );
  }
}

async function planOf(
  access: UninstallAccess,
  flags: UninstallFlags,
  { clock }: CliContext,
): Promise<UninstallPlan> {
  const stack = await stackOf(access);
  const groups = await planGroups(access, clock.now());
  const kinds = kindsOf(access, { allParameters: flags.allParameters === true });
  const surveys = await survey(kinds, { withoutCluster: flags.withoutCluster === true });
  return { clusterName: access.clusterName, groups, stack, surveys };
}

async function carryOut(
  plan: UninstallPlan,
  { access, flags }: { readonly access: UninstallAccess; readonly flags: UninstallFlags },
  context: InterruptibleContext,
): Promise<void> {
  const say = (line: string): void => {
    if (!flags.json) context.stdout.write(line);
  };
  const by = withoutAccount(await callerOf(flags, context, 'the pause'));
  const input: CarryOutInput = {
    access: access.leave,
    by,
    waitSeconds: flags.wait,
    command,
    onStep: (name, step) => say(doneLine(name, step)),
  };
  await namingPaused(input, async (noting) => {
    for (const group of await pauseAtOnce(plan.groups, noting, context))
      await carryOutLeave(group, noting, context);
  });
  // The functions need what follows: without it, each of them fails until the stack is deleted.
  if (plan.stack !== undefined) return;
  for (const one of plan.surveys) {
    if (one.status !== 'read') continue;
    for (const name of one.found) {
      endIfInterrupted(context, `Drover is not removed; ${command} goes on`);
      try {
        await one.kind.remove(name);
      } catch (error) {
        throw new CliError(
          `${one.kind.name}: ${name}: ${messageOf(error)}. ${command} goes on`,
          exitCodes.failed,
          error,
        );
      }
      say(`${oneLine(`${one.kind.name}: ${name}: done`)}\n`);
    }
  }
}
