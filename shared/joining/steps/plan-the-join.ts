import { findLaunchingHook } from '../../groups/group.ts';
import { done, type Outcome } from '../../passes/outcome.ts';
import type { JoiningContext } from '../context.ts';
import { planJoin } from '../join-plan.ts';
import type { Joining, Planned, Started } from '../state.ts';

/** Reads the hooks of the group, and plans the join by ours. */
export async function planTheJoin(
  { autoScaling, settings: { joiningHookName } }: JoiningContext,
  { subject, instance, settings, group }: Started & Joining,
): Promise<Outcome | Planned> {
  const hooks = await autoScaling.describeHooks(group.autoScalingGroupName);
  const hook = findLaunchingHook(hooks, joiningHookName);
  if (!hook)
    return done(
      `its group ${group.autoScalingGroupName} has no hook ${joiningHookName} on launching instances`,
    );
  return { plan: planJoin({ subject, instance, settings, hook }) };
}
