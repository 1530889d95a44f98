import { endHeartbeats } from '../passes/heartbeats.ts';
import { beforeNextHeartbeat } from '../passes/next-heartbeat.ts';
import type { Outcome } from '../passes/outcome.ts';
import { stepsFrom } from '../passes/steps.ts';
import type { JoiningContext, JoiningSubject } from './context.ts';
import type { Started } from './state.ts';
import { applyNodeTemplate } from './steps/apply-node-template.ts';
import { awaitJoin } from './steps/await-join.ts';
import { completeHook } from './steps/complete-hook.ts';
import { confirmJoining } from './steps/confirm-joining.ts';
import { endOverdueJoin } from './steps/end-overdue-join.ts';
import { holdWhilePaused } from './steps/hold-while-paused.ts';
import { judgeReadiness } from './steps/judge-readiness.ts';
import { observeCluster } from './steps/observe-cluster.ts';
import { planTheJoin } from './steps/plan-the-join.ts';
import { removeNamesake } from './steps/remove-namesake.ts';
import { sendHeartbeat } from './steps/send-heartbeat.ts';

/** The steps of a pass, in order. The first one that has to wait, or that ends the wait, answers. */
const takeSteps = stepsFrom<JoiningContext, Started>()
  .step(sendHeartbeat)
  .step(confirmJoining)
  .step(planTheJoin)
  .step(sendHeartbeat)
  .step(holdWhilePaused)
  .step(observeCluster)
  .step(removeNamesake)
  .step(applyNodeTemplate)
  .step(judgeReadiness)
  .step(completeHook)
  .step(endOverdueJoin)
  .last(awaitJoin);

/**
 * One pass over one instance that Auto Scaling launches: it keeps the wait, decides the instance's certificate requests, and completes
 * the hook once the instance's own Node is Ready. A pass may be killed at any line, and any environment of the function may repeat it:
 * the state is in Auto Scaling, in EC2 and on the Node.
 *
 * @throws what Auto Scaling, EC2 or the API server answered where a step could not read or change something.
 */
export async function joiningPass(context: JoiningContext, subject: JoiningSubject): Promise<Outcome> {
  const outcome = await takeSteps(context, { subject, notes: [] });
  if (outcome.status === 'done') endHeartbeats(context, subject.instanceId);
  return beforeNextHeartbeat(context, subject.instanceId, outcome);
}
