import type { NotificationResult } from '../notifications/notification.ts';
import type { JoiningContext } from './context.ts';
import type { Joining, Planned } from './state.ts';

/**
 * Held instances are told within this time after their deadline: nothing of them remembers that people were told, and another
 * environment of the function would tell it again hours later. `JoinOverdueAlarm` speaks for one that had no pass in this time.
 */
const tellWithinSeconds = 600;

export const isTimeToTell = (now: number, { deadlines: { deadline } }: Planned['plan']): boolean =>
  now - deadline < tellWithinSeconds * 1000;

export interface JoinFailure extends Joining, Planned {
  /** What is done about it. */
  readonly verdict: string;
  readonly steps: readonly string[];
}

/** Tells people of an instance that has not joined in time. */
export const tellFailure = async (
  { notify }: Pick<JoiningContext, 'notify'>,
  { instance, group, plan, verdict, steps }: JoinFailure,
): Promise<NotificationResult> =>
  await notify({
    kind: 'join-failed',
    occurrence: `${instance.instanceId}/${new Date(plan.since).toISOString()}`,
    message: `instance ${instance.instanceId} of group ${group.autoScalingGroupName} has not joined: ${verdict}`,
    facts: {
      autoScalingGroupName: group.autoScalingGroupName,
      instanceId: instance.instanceId,
      deadline: new Date(plan.deadlines.deadline).toISOString(),
      reasons: steps,
    },
  });
