import { messageOf } from '../../shared/base/message-of.ts';
import { sideBySide } from '../../shared/base/side-by-side.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { InterruptibleContext } from '../interruption.ts';
import { type CarryOutInput, takeStep } from './carry-out.ts';
import { observeWaits } from './observe.ts';
import { type LeavePlan, type Step, settleSeconds } from './plan.ts';
import { awaitWaits } from './waits.ts';

/** Auto Scaling takes a few changes a second from an account. */
const atOnce = 4;
const eachMilliseconds = 60_000;

/**
 * Pauses several groups at the same time, so that all of them wait for their passes together, and returns the plans that are left. Groups
 * whose instances wait come first: Drover completes these waits only while their group is not paused. A group in which something has begun to
 * wait since the plan is paused after the others.
 *
 * @throws CliError if an instance still waits, or a group could not be paused.
 */
export async function pauseAtOnce(
  plans: readonly LeavePlan[],
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<readonly LeavePlan[]> {
  for (const { autoScalingGroupName, steps } of plans)
    for (const step of steps)
      if (step.kind === 'await-waits') await takeStep(autoScalingGroupName, step, input, context);
  const paused = new Map<LeavePlan, LeavePlan | 'waits'>();
  const results = await sideBySide(plans, (plan) => pauseUnlessItWaits(plan, input, context), {
    clock: context.clock,
    atOnce,
    eachMilliseconds,
    togetherMilliseconds: eachMilliseconds * (1 + plans.length / atOnce),
  });
  for (const result of results) {
    if (result.status === 'rejected') throw notPaused(result.item, result.reason, input.command);
    paused.set(result.item, result.value);
  }
  for (const [plan, result] of paused) {
    if (result !== 'waits') continue;
    await awaitWaits(plan.autoScalingGroupName, input, context);
    paused.set(plan, await pause(plan, input, context));
  }
  return [...paused.values()].filter((plan) => plan !== 'waits');
}

function notPaused({ autoScalingGroupName: group }: LeavePlan, reason: unknown, command: string): CliError {
  if (reason instanceof CliError) return reason;
  return new CliError(
    `${group}: tag drover.dev/paused: ${messageOf(reason)}. ${command} goes on`,
    exitCodes.failed,
    reason,
  );
}

const isPaused = ({ steps }: LeavePlan): boolean => steps.every(({ kind }) => kind !== 'pause');

/** What waits is read right before the pause: the waits of other groups may have taken hours. */
async function pauseUnlessItWaits(
  plan: LeavePlan,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<LeavePlan | 'waits'> {
  if (isPaused(plan)) return pause(plan, input, context);
  const { waits } = await observeWaits(input.access, plan.autoScalingGroupName);
  return waits.some(({ hooks }) => hooks.length > 0) ? 'waits' : await pause(plan, input, context);
}

/** With a wait for the passes instead of the pause, which is set. */
async function pause(
  plan: LeavePlan,
  input: CarryOutInput,
  context: InterruptibleContext,
): Promise<LeavePlan> {
  const { autoScalingGroupName } = plan;
  const steps: Step[] = [];
  for (const step of plan.steps) {
    if (step.kind === 'await-waits') continue;
    if (step.kind !== 'pause') steps.push(step);
    else {
      await takeStep(autoScalingGroupName, { ...step, kind: 'only-pause' }, input, context);
      steps.push({
        kind: 'settle',
        until: context.clock.now() + settleSeconds * 1000,
        subject: 'the pause',
        does: 'is awaited until every pass has seen it',
      });
    }
  }
  return { ...plan, steps };
}
