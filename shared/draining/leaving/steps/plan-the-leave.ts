import type { LeavingContext } from '../context.ts';
import { type LeavePlan, planLeave } from '../leave-plan.ts';
import type { Leaving, Planned, Started } from '../state.ts';

type State = Started & Leaving;

/** Reads the hooks of the group, and plans the leave by them. */
export async function planTheLeave(context: LeavingContext, state: State): Promise<Planned> {
  const hooks = await context.autoScaling.describeHooks(state.group.autoScalingGroupName);
  return { hooks, plan: planWith(context, { ...state, hooks }) };
}

/** The plan, counted from the mark of the Node where it has one. */
export function planWith(
  { clock, settings: { leavingHookName, etcdHookName } }: LeavingContext,
  { subject, instance, settings, waits, hooks }: State & Pick<Planned, 'hooks'>,
  markedSince?: string,
): LeavePlan {
  return planLeave({
    now: clock.now(),
    subject,
    instance,
    settings,
    waits,
    hooks,
    leavingHookName,
    etcdHookName,
    markedSince: markedSince === undefined ? undefined : Date.parse(markedSince),
  });
}
