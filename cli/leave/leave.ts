import { callerOf, withoutAccount } from '../caller/caller.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { interruptible } from '../interruption.ts';
import { type LeaveAccessFlags, leaveAccess } from './access.ts';
import { type CarryOutInput, carryOutLeave } from './carry-out.ts';
import { observeGroup } from './observe.ts';
import { planLeave } from './plan.ts';
import { namingPaused } from './still-paused.ts';
import { doneLine, leaveJson, planText } from './text.ts';

export interface LeaveFlags extends LeaveAccessFlags, ConfirmFlags {
  /** Seconds to wait until no instance of the group waits. */
  readonly wait: number;
}

/** Takes a group out of Drover's care, or with `--plan` says how. */
export async function leave(name: string, flags: LeaveFlags, context: CliContext): Promise<void> {
  const access = leaveAccess(flags, context);
  const plan = planLeave(await observeGroup(access, name, context.clock.now()));
  const { stdout } = context;
  if (!flags.json) stdout.write(planText(plan));
  if (plan.steps.length === 0 || !(await confirmed(`Take ${name} out of Drover's care?`, flags, context))) {
    if (flags.json) stdout.write(leaveJson([plan], { done: plan.steps.length === 0 }));
    return;
  }
  const by = withoutAccount(await callerOf(flags, context, 'the pause'));
  await interruptible(context, async (interruptibly) => {
    const input: CarryOutInput = {
      access,
      by,
      waitSeconds: flags.wait,
      command: `drover leave ${name}`,
      onStep: (group, step) => flags.json || stdout.write(doneLine(group, step)),
    };
    await namingPaused(input, (noting) => carryOutLeave(plan, noting, interruptibly));
    stdout.write(
      flags.json ? leaveJson([plan], { done: true }) : `${name} has left: nothing of Drover is left on it\n`,
    );
  });
}
