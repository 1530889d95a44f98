import { messageOf } from '../base/message-of.ts';
import { foundWait } from '../heartbeats/request.ts';
import { again, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { pausedReason, pauseOf } from '../passes/pause.ts';
import { type Noted, stepsFrom } from '../passes/steps.ts';
import { awaitLoadBalancers, awaitVolumes } from './await-detachment.ts';
import { awaitReplacement } from './await-replacement.ts';
import { awaitTurn } from './await-turn.ts';
import { beginReads, confirmLeaving, confirmReturn, observe } from './confirm-leaving.ts';
import type { Leaving, LeavingContext, LeavingSubject, NodeFound, Planned, Started } from './context.ts';
import { drain } from './drain.ts';
import { endIfInstanceGone, findNode, planWithNode } from './find-node.ts';
import { planWith } from './leave-plan.ts';
import { reportDeniedWait } from './lost-tags.ts';
import { markAndCordon, renewMark } from './mark-and-cordon.ts';
import { completeHook, deleteNode, handBackDrained, ignoreOwnRelease } from './release-instance.ts';

/** The steps of a pass, in order. The first one that has to wait, or that ends the leave, gives the outcome. */
const takeSteps = stepsFrom<LeavingContext, Started>()
  .step(ignoreOwnRelease)
  .step(beginReads)
  .step(observe)
  .step(confirmReturn)
  .step(confirmLeaving)
  .step(planTheLeave)
  .step(ensureHeartbeats)
  .step(holdWhilePaused)
  .step(awaitTurn)
  .step(findNode)
  .step(endIfInstanceGone)
  .step(reportIfDenied)
  .step(awaitReplacement)
  .step(markAndCordon)
  .step(drain)
  .step(awaitLoadBalancers)
  .step(awaitVolumes)
  .step(handBackDrained)
  .step(deleteNode)
  .last(completeHook);

/**
 * One pass over one instance for which there is a notice that it leaves. It reads the current state, does what can be done now, and
 * returns whether it is done or when to run again. A pass may be killed at any line, and any environment of the function may repeat it,
 * because the state is in Auto Scaling and on the Node. What is remembered or cached is seconds old, so the steps that cannot be undone
 * have preconditions (the UIDs of Node and pods, the hook's token if a notice has it) and need a consistent list of the pods.
 *
 * @throws the error of Auto Scaling, EC2 or the API server if a step cannot read or change something.
 */
export async function leavingPass(
  context: Omit<LeavingContext, 'events'>,
  subject: LeavingSubject,
): Promise<Outcome> {
  const events: Promise<void>[] = [];
  try {
    return await takeSteps({ ...context, events }, { subject, notes: [] });
  } finally {
    await Promise.all(events);
  }
}

/**
 * Requests the heartbeats of a wait if none of its notices says that this was done. A pass sends no heartbeats itself, because it may wait for
 * its turn, for a slow API server or for a free environment (docs/adr/0035).
 */
export async function ensureHeartbeats(
  context: LeavingContext,
  { subject, plan, notes }: Started & Planned,
): Promise<Noted> {
  const { action, hook } = plan;
  if (!action || !hook || subject.notices.some(({ hasHeartbeats }) => hasHeartbeats)) return { notes };
  const { heartbeatTimeoutSeconds } = hook;
  const wait = { action, transition: 'terminating' } as const;
  try {
    await context.ensureHeartbeats(foundWait(wait, { now: context.clock.now(), heartbeatTimeoutSeconds }));
    return { notes };
  } catch (error) {
    context.reportError(messageOf(error), error);
    return { notes: [...notes, messageOf(error)] };
  }
}

/** Reads the hooks of the group, and plans the leave with them. */
export async function planTheLeave(
  context: LeavingContext,
  state: Started & Leaving,
): Promise<Planned & Noted> {
  const { etcdHookName } = context.settings;
  const { autoScalingGroupName } = state.group;
  const { begun } = state.subject;
  const hooks = await (begun?.hooksOf(autoScalingGroupName) ??
    context.autoScaling.describeHooks(autoScalingGroupName));
  const plan = planWith(context, { ...state, hooks });
  const notes =
    plan.onFailure === state.settings.onFailure
      ? []
      : [`on-failure ABANDON is taken as CONTINUE, because it would end the wait of ${etcdHookName} too`];
  return { hooks, plan, notes: [...state.notes, ...notes] };
}

/** Reports a wait whose group has lost the tag of the cluster. */
async function reportIfDenied(
  context: LeavingContext,
  state: Started & Leaving & Planned & NodeFound,
): Promise<object | Noted> {
  return state.isDenied ? await reportDeniedWait(context, state) : {};
}

/**
 * In a paused group a pass renews the mark of the Node, and does nothing else; the heartbeats of the wait go on. Without the renewal the sweep would
 * send each wait to the queue again.
 */
export async function holdWhilePaused(
  context: LeavingContext,
  state: Started & Leaving & Planned,
): Promise<Outcome | object> {
  const pause = pauseOf(state.group.tags);
  if (!pause) return {};
  const found = await planWithNode(context, state);
  const { plan } = found ?? state;
  if (found?.mark) await renewMark(context, { node: found.node, mark: found.mark, plan });
  const reason = pausedReason(pause, { now: context.clock.now(), limit: plan.deadlines.limit });
  return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
}
