import type { Outcome } from '../../lifecycle/outcome.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import type { Started } from './state.ts';
import { awaitLoadBalancers } from './steps/await-load-balancers.ts';
import { awaitTurn } from './steps/await-turn.ts';
import { awaitVolumes } from './steps/await-volumes.ts';
import { completeHook } from './steps/complete-hook.ts';
import { confirmLeaving } from './steps/confirm-leaving.ts';
import { deleteNode } from './steps/delete-node.ts';
import { drain } from './steps/drain.ts';
import { endIfInstanceGone } from './steps/end-if-instance-gone.ts';
import { findNode } from './steps/find-node.ts';
import { holdWhilePaused } from './steps/hold-while-paused.ts';
import { ignoreOwnRelease } from './steps/ignore-own-release.ts';
import { markAndCordon } from './steps/mark-and-cordon.ts';
import { observeInstance } from './steps/observe-instance.ts';
import { planTheLeave } from './steps/plan-the-leave.ts';
import { beforeNextHeartbeat, sendHeartbeat } from './steps/send-heartbeat.ts';
import { stepsFrom } from './steps.ts';

/** The steps of a pass, in order. The first one that has to wait, or that ends the leave, answers. */
const takeSteps = stepsFrom<Started>()
  .step(ignoreOwnRelease)
  .step(sendHeartbeat)
  .step(observeInstance)
  .step(confirmLeaving)
  .step(planTheLeave)
  .step(sendHeartbeat)
  .step(holdWhilePaused)
  .step(awaitTurn)
  .step(findNode)
  .step(endIfInstanceGone)
  .step(markAndCordon)
  .step(drain)
  .step(awaitVolumes)
  .step(awaitLoadBalancers)
  .step(deleteNode)
  .last(completeHook);

/**
 * One pass over one instance that is said to leave: it reads the truth, does what can be done now, and answers whether it is
 * done or when it wants to run again. Every step reads what it needs anew, so that a pass may be killed at any line, and may
 * be repeated by any environment of the function.
 *
 * @throws what Auto Scaling, EC2 or the API server answered where a step could not read or change something.
 */
export async function leavingPass(context: LeavingContext, subject: LeavingSubject): Promise<Outcome> {
  const { instanceId } = subject;
  try {
    const outcome = await takeSteps(context, { subject, notes: [] });
    return beforeNextHeartbeat(context, instanceId, outcome);
  } catch (error) {
    // What was remembered may be the cause: another Node under the same name, for example.
    context.memory.forget(instanceId);
    throw error;
  }
}
