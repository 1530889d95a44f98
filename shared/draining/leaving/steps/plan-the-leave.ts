import type { LeavingContext } from '../context.ts';
import { planWith } from '../plan-with.ts';
import type { Leaving, Planned, Started } from '../state.ts';

type State = Started & Leaving;

/** Reads the hooks of the group, and plans the leave by them. */
export async function planTheLeave(context: LeavingContext, state: State): Promise<Planned> {
  const hooks = await context.autoScaling.describeHooks(state.group.autoScalingGroupName);
  return { hooks, plan: planWith(context, { ...state, hooks }) };
}
