import { endHeartbeats } from '../passes/heartbeats.ts';
import { beforeNextHeartbeat } from '../passes/next-heartbeat.ts';
import type { Outcome } from '../passes/outcome.ts';
import { stepsFrom } from '../passes/steps.ts';
import { applyNodeTemplate } from './apply-node-template.ts';
import { awaitJoin, completeHook, holdWhilePaused } from './await-join.ts';
import { confirmJoining, planTheJoin } from './confirm-joining.ts';
import type { JoiningContext, JoiningSubject, Started } from './context.ts';
import { endOverdueJoin } from './end-overdue-join.ts';
import { judgeReadiness } from './judge-readiness.ts';
import { observeCluster } from './observe-cluster.ts';
import { removeNamesake } from './remove-namesake.ts';
import { sendHeartbeat } from './send-heartbeat.ts';

/** The steps of a pass, in order. The first step that has to wait, or that ends the wait, ends the pass. */
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
 * One pass over one instance that Auto Scaling launches: it sends heartbeats, decides the certificate requests of the instance, and
 * completes the hook once the Node of the instance is Ready. A pass may be killed at any line, and any environment of the function may
 * repeat it: the state is in Auto Scaling, in EC2 and on the Node.
 *
 * @throws the error of Auto Scaling, EC2 or the API server if a step could not read or change something.
 */
export async function joiningPass(context: JoiningContext, subject: JoiningSubject): Promise<Outcome> {
  const outcome = await takeSteps(context, { subject, notes: [] });
  if (outcome.status === 'done') endHeartbeats(context, subject.instanceId);
  return beforeNextHeartbeat(context, subject.instanceId, outcome);
}
