import type { Noted } from '../../passes/steps.ts';
import type { LeavingContext } from '../context.ts';
import type { LeavePlan } from '../leave-plan.ts';
import { planWith } from '../plan-with.ts';
import type { Leaving, Planned, Started } from '../state.ts';

type State = Started & Leaving;

/** Reads the hooks of the group, and plans the leave by them. */
export async function planTheLeave(context: LeavingContext, state: State): Promise<Planned & Noted> {
  const hooks = await context.autoScaling.describeHooks(state.group.autoScalingGroupName);
  const plan = planWith(context, { ...state, hooks });
  return { hooks, plan, notes: [...state.notes, ...noteOnFailure(context, state, plan)] };
}

const noteOnFailure = (
  { settings: { etcdHookName } }: LeavingContext,
  { settings }: State,
  plan: LeavePlan,
): readonly string[] =>
  plan.onFailure === settings.onFailure
    ? []
    : [`on-failure ABANDON is taken as CONTINUE, because it would end the wait of ${etcdHookName} too`];
