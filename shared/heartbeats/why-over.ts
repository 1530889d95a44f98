import type { GroupInstance, LifecycleAction } from '../groups/group.ts';
import { isPastTerminatingWait } from '../groups/lifecycle-state.ts';
import { type HeartbeatContext, type HeartbeatSubject, noticeOf } from './context.ts';
import type { HeartbeatNotice } from './message.ts';
import { type WaitState, waitStateOf } from './wait.ts';

/**
 * Why the wait is over although no heartbeat was refused: EC2 has ended the instance, and Auto Scaling shows no wait. EC2 is read first,
 * because it accepts more calls, and most messages come back after the end of their instance. Undefined if it may still wait.
 */
export async function whyOver(
  context: HeartbeatContext,
  subject: HeartbeatSubject,
): Promise<string | undefined> {
  const { instanceId, transition, hook } = noticeOf(subject);
  const ended = await whyEnded(context, instanceId);
  if (!ended) return undefined;
  if (await isListedPast(context, { instanceId, autoScalingGroupName: hook.autoScalingGroupName }))
    return ended;
  const { state } = await describe(context, { instanceId, transition }, context.clock.now());
  return state === 'past' || state === 'missing' ? ended : undefined;
}

/**
 * Whether the kept list of groups shows that the instance is past its wait, or does not show it any more. For an instance that EC2 has
 * ended, an old list is enough: such an instance never waits again. The list saves a call for each instance of a crowd.
 */
async function isListedPast(
  { autoScaling, reportError }: HeartbeatContext,
  { instanceId, autoScalingGroupName }: Pick<LifecycleAction, 'instanceId' | 'autoScalingGroupName'>,
): Promise<boolean> {
  try {
    const group = await autoScaling.describeGroup(autoScalingGroupName);
    if (!group) return false;
    const member = group.instances.find((one) => one.instanceId === instanceId);
    return member === undefined || isPastTerminatingWait(member);
  } catch (error) {
    reportError(`the group ${autoScalingGroupName} could not be read`, error);
    return false;
  }
}

/** What Auto Scaling describes; `unknown` if it cannot be read. */
export async function describe(
  { autoScaling, reportError }: HeartbeatContext,
  { instanceId, transition }: Pick<HeartbeatNotice, 'instanceId' | 'transition'>,
  notBefore: number,
): Promise<{ readonly state: WaitState | 'unknown'; readonly lifecycleState?: string }> {
  let instance: GroupInstance | undefined;
  try {
    instance = await autoScaling.describeInstance(instanceId, notBefore);
  } catch (error) {
    reportError(`${instanceId} could not be described`, error);
    return { state: 'unknown' };
  }
  const state = waitStateOf(instance, transition);
  return { state, ...(instance && { lifecycleState: instance.lifecycleState }) };
}

/** Positive evidence of EC2 that an instance has ended. */
export async function whyEnded(
  { ec2, reportError }: HeartbeatContext,
  instanceId: string,
): Promise<string | undefined> {
  try {
    const instance = await ec2.describeInstance(instanceId);
    const hasEnded = instance?.state === 'terminated' || instance?.state === 'shutting-down';
    return hasEnded ? `the wait is over: EC2 reports the instance as ${instance.state}` : undefined;
  } catch (error) {
    reportError(`${instanceId} could not be read from EC2`, error);
    return undefined;
  }
}
