import {
  endHeartbeats,
  type HeartbeatResult,
  heartbeatIfDue,
  heartbeatStep,
  isNewWait,
} from '../passes/heartbeats.ts';
import { noticedAction } from '../passes/hook-notice.ts';
import { beforeNextHeartbeat } from '../passes/next-heartbeat.ts';
import { again, longestWaitSeconds, type Outcome } from '../passes/outcome.ts';
import { pausedReason, pauseOf } from '../passes/pause.ts';
import { type Noted, stepsFrom } from '../passes/steps.ts';
import { awaitLoadBalancers, awaitVolumes } from './await-detachment.ts';
import { awaitReplacement, awaitTurn } from './await-turn.ts';
import { confirmLeaving, confirmReturn, observe } from './confirm-leaving.ts';
import type { Leaving, LeavingContext, LeavingSubject, NodeFound, Planned, Started } from './context.ts';
import { drain } from './drain.ts';
import { endIfInstanceGone, findNode, planWithNode } from './find-node.ts';
import { planWith } from './leave-plan.ts';
import { reportDeniedWait } from './lost-tags.ts';
import { markAndCordon, renewMark } from './mark-and-cordon.ts';
import { completeHook, deleteNode, ignoreOwnRelease } from './release-instance.ts';

/** The steps of a pass, in order. The first one that has to wait, or that ends the leave, gives the outcome. */
const takeSteps = stepsFrom<LeavingContext, Started>()
  .step(ignoreOwnRelease)
  .step(sendHeartbeat)
  .step(observe)
  .step(confirmReturn)
  .step(confirmLeaving)
  .step(planTheLeave)
  .step(sendHeartbeat)
  .step(holdWhilePaused)
  .step(awaitTurn)
  .step(findNode)
  .step(endIfInstanceGone)
  .step(reportIfDenied)
  .step(awaitReplacement)
  .step(markAndCordon)
  .step(drain)
  .step(awaitVolumes)
  .step(awaitLoadBalancers)
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
  const { instanceId } = subject;
  const events: Promise<void>[] = [];
  try {
    const outcome = await takeSteps({ ...context, events }, { subject, notes: [] });
    if (outcome.status === 'done') endHeartbeats(context, instanceId);
    return beforeNextHeartbeat(context, instanceId, outcome);
  } finally {
    await Promise.all(events);
  }
}

type HeartbeatState = Started & Partial<HeartbeatResult> & Partial<Planned>;

/**
 * Sends a heartbeat before anything that can fail or take long, if a third of the hook's timeout has passed since the last one that this
 * environment of the function remembers, or if it remembers none.
 *
 * The pass runs this step twice. The first time only the messages are known, and what this environment remembers of the wait. If one of
 * them names our hook, that is enough, unless Auto Scaling has reported that nothing waits. The second time the plan is known too: the
 * step sends a heartbeat if the result is still `unknown`, and remembers the timeout of the hook.
 */
export function sendHeartbeat(
  context: LeavingContext,
  state: HeartbeatState,
): Promise<HeartbeatResult & Noted> {
  return heartbeatStep(context, state, () => trySending(context, state));
}

async function trySending(
  context: LeavingContext,
  { subject, plan }: HeartbeatState,
): Promise<HeartbeatResult['heartbeat']> {
  const { memory, settings } = context;
  const last = memory.lastHeartbeat(subject.instanceId);
  const known = subject.notices.some(({ cause }) => cause !== 'instance-gone') ? last?.action : undefined;
  const action = plan?.action ?? noticedAction(subject, settings.leavingHookName) ?? known;
  if (!action || memory.recall(subject.instanceId)?.released === 'completed') return 'unknown';
  const isNew = subject.notices.some(
    ({ cause, noticedAt }) => cause === 'terminating' && isNewWait(noticedAt, context),
  );
  return await heartbeatIfDue(context, action, { mayWaitAgain: plan !== undefined || isNew });
}

/** Reads the hooks of the group, and plans the leave with them. */
export async function planTheLeave(
  context: LeavingContext,
  state: Started & Leaving,
): Promise<Planned & Noted> {
  const { etcdHookName } = context.settings;
  const hooks = await context.autoScaling.describeHooks(state.group.autoScalingGroupName);
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
 * In a paused group a pass sends heartbeats and renews the mark of the Node, and does nothing else. Without the renewal the sweep would
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
