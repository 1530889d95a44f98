import { endHeartbeats } from '../passes/heartbeats.ts';
import { beforeNextHeartbeat } from '../passes/next-heartbeat.ts';
import type { Outcome } from '../passes/outcome.ts';
import { stepsFrom } from '../passes/steps.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import { observe } from './observe.ts';
import type { Started } from './state.ts';
import { awaitLoadBalancers } from './steps/await-load-balancers.ts';
import { awaitReplacement } from './steps/await-replacement.ts';
import { awaitTurn } from './steps/await-turn.ts';
import { awaitVolumes } from './steps/await-volumes.ts';
import { completeHook } from './steps/complete-hook.ts';
import { confirmLeaving } from './steps/confirm-leaving.ts';
import { confirmReturn } from './steps/confirm-return.ts';
import { deleteNode } from './steps/delete-node.ts';
import { drain } from './steps/drain.ts';
import { endIfInstanceGone } from './steps/end-if-instance-gone.ts';
import { findNode } from './steps/find-node.ts';
import { holdWhilePaused } from './steps/hold-while-paused.ts';
import { ignoreOwnRelease } from './steps/ignore-own-release.ts';
import { markAndCordon } from './steps/mark-and-cordon.ts';
import { planTheLeave } from './steps/plan-the-leave.ts';
import { sendHeartbeat } from './steps/send-heartbeat.ts';

/** The steps of a pass, in order. The first one that has to wait, or that ends the leave, answers. */
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
  .step(awaitReplacement)
  .step(markAndCordon)
  .step(drain)
  .step(awaitVolumes)
  .step(awaitLoadBalancers)
  .step(deleteNode)
  .last(completeHook);

/**
 * One pass over one instance that is said to leave: it reads the truth, does what can be done now, and answers whether it is
 * done or when it wants to run again. A pass may be killed at any line, and any environment of the function may repeat it: the
 * state is in Auto Scaling and on the Node. What is remembered or cached is seconds old, so preconditions (the UIDs of Node
 * and pods, the hook's token where a notice brought one) and a consistent list of the pods guard the steps that cannot be undone.
 *
 * @throws what Auto Scaling, EC2 or the API server answered where a step could not read or change something.
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
