import { messageOf } from '../base/message-of.ts';
import { foundWait } from '../heartbeats/request.ts';
import type { Outcome } from '../passes/outcome.ts';
import { type Noted, stepsFrom } from '../passes/steps.ts';
import { applyNodeTemplate } from './apply-node-template.ts';
import { awaitJoin, completeHook, holdWhilePaused } from './await-join.ts';
import { confirmJoining, planTheJoin } from './confirm-joining.ts';
import type { JoiningContext, JoiningSubject, Planned, Started } from './context.ts';
import { endOverdueJoin } from './end-overdue-join.ts';
import { judgeReadiness } from './judge-readiness.ts';
import { removeNamesake } from './remove-namesake.ts';
import { observeOrServeFirst } from './serve-first.ts';

/** The steps of a pass, in order. The first step that has to wait, or that ends the wait, ends the pass. */
const takeSteps = stepsFrom<JoiningContext, Started>()
  .step(confirmJoining)
  .step(planTheJoin)
  .step(ensureHeartbeats)
  .step(holdWhilePaused)
  .step(observeOrServeFirst)
  .step(removeNamesake)
  .step(applyNodeTemplate)
  .step(judgeReadiness)
  .step(completeHook)
  .step(endOverdueJoin)
  .last(awaitJoin);

/**
 * One pass over one instance that Auto Scaling launches: it decides the certificate requests of the instance, and
 * completes the hook once the Node of the instance is Ready. A pass may be killed at any line, and any environment of the function may
 * repeat it: the state is in Auto Scaling, in EC2 and on the Node.
 *
 * @throws the error of Auto Scaling, EC2 or the API server if a step could not read or change something.
 */
export async function joiningPass(context: JoiningContext, subject: JoiningSubject): Promise<Outcome> {
  return await takeSteps(context, { subject, notes: [] });
}

/** Requests the heartbeats of the wait if none of its notices says that this was done: an earlier version of Drover sent them. */
async function ensureHeartbeats(
  context: JoiningContext,
  { subject, plan: { action, hook }, notes }: Started & Planned,
): Promise<Noted> {
  if (subject.notices.some(({ hasHeartbeats }) => hasHeartbeats)) return { notes };
  const { heartbeatTimeoutSeconds } = hook;
  const wait = { action, transition: 'launching' } as const;
  try {
    await context.ensureHeartbeats(foundWait(wait, { now: context.clock.now(), heartbeatTimeoutSeconds }));
    return { notes };
  } catch (error) {
    context.reportError(messageOf(error), error);
    return { notes: [...notes, messageOf(error)] };
  }
}
