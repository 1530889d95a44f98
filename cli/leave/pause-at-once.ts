import { sideBySide } from '../../shared/base/side-by-side.ts';
import type { InterruptibleContext } from '../interruption.ts';
import { type CarryOutInput, takeStep } from './carry-out.ts';
import { type LeavePlan, type Step, settleSeconds } from './plan.ts';

/** Auto Scaling takes a few changes a second from an account. */
const atOnce = 4;
const eachMilliseconds = 60_000;

/**
 * Pauses several groups at the same time, so that all of them wait for their passes together, and returns the plans that are left. Groups
 * whose instances wait come first: Drover completes these waits only while their group is not paused.
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
  const paused = await sideBySide(plans, (plan) => pause(plan, input, context), {
    clock: context.clock,
    atOnce,
    eachMilliseconds,
    togetherMilliseconds: eachMilliseconds * (1 + plans.length / atOnce),
  });
  return paused.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
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
