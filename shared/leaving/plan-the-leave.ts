import type { Noted } from '../passes/steps.ts';
import type { Leaving, LeavingContext, Planned, Started } from './context.ts';
import { type LeavePlan, type LeavePlanInput, planLeave } from './leave-plan.ts';

type State = Started & Leaving;

/** Reads the hooks of the group, and plans the leave with them. */
export async function planTheLeave(context: LeavingContext, state: State): Promise<Planned & Noted> {
  const { etcdHookName } = context.settings;
  const hooks = await context.autoScaling.describeHooks(state.group.autoScalingGroupName);
  const plan = planWith(context, { ...state, hooks });
  const notes =
    plan.onFailure === state.settings.onFailure
      ? []
      : [`on-failure ABANDON is taken as CONTINUE, because it would end the wait of ${etcdHookName} too`];
  return { hooks, plan, notes: [...state.notes, ...notes] };
}

/** The plan of a leave that began at the time in the mark, or that begins now if there is no mark. */
export function planWith(
  { clock, settings: { leavingHookName, etcdHookName } }: LeavingContext,
  state: State & Pick<Planned, 'hooks'>,
  mark?: LeavePlanInput['mark'],
): LeavePlan {
  return planLeave({ ...state, mark, now: clock.now(), leavingHookName, etcdHookName });
}
