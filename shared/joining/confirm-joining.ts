import { findLaunchingHook, isManaged } from '../groups/group.ts';
import { readSettings } from '../groups/group-settings.ts';
import { beginHooks, isNewWait } from '../passes/hook-notice.ts';
import { again, done, type Outcome } from '../passes/outcome.ts';
import type { Noted } from '../passes/steps.ts';
import type { Joining, JoiningContext, Planned, Started } from './context.ts';
import { planJoin } from './join-plan.ts';
import { joiningTags } from './settings.ts';
import { joiningSituation } from './situation.ts';

const settlingSeconds = 5;

/**
 * Reads the instance and its group. The pass continues only if the instance waits on its launching hooks in a managed group.
 */
export async function confirmJoining(
  context: JoiningContext,
  { subject, notes }: Started,
): Promise<Outcome | (Joining & Noted)> {
  const { autoScaling, settings: own } = context;
  const hooksOf = beginHooks(autoScaling, subject.notices);
  const [described, ec2] = await Promise.all([
    autoScaling.describeInstance(subject.instanceId),
    context.ec2.describeInstance(subject.instanceId),
  ]);
  const isNew = subject.notices.some(({ noticedAt }) => isNewWait(noticedAt, context));
  const situation = joiningSituation({ instance: described, ec2, isNew });
  if (situation.kind === 'over') return done(situation.reason);
  if (situation.kind === 'settling') return again(settlingSeconds, situation.reason);
  const { instance, toWarmPool } = situation;
  const group = await autoScaling.describeGroup(instance.autoScalingGroupName);
  if (!group || !isManaged(group, own.clusterName))
    return done(`its group ${instance.autoScalingGroupName} is not tagged as this cluster's`);
  const { settings, problems } = readSettings(joiningTags, { tags: group.tags, defaults: own.defaults });
  return { instance, group, hooksOf, settings, ec2, toWarmPool, notes: [...notes, ...problems] };
}

/** Reads the hooks of the group and plans the join with ours. */
export async function planTheJoin(
  { settings: { joiningHookName } }: JoiningContext,
  { subject, instance, settings, group, hooksOf }: Started & Joining,
): Promise<Outcome | Planned> {
  const hooks = await hooksOf(group.autoScalingGroupName);
  const hook = findLaunchingHook(hooks, joiningHookName);
  if (!hook)
    return done(
      `its group ${group.autoScalingGroupName} has no hook ${joiningHookName} on launching instances`,
    );
  return { plan: planJoin({ subject, instance, settings, hook }) };
}
