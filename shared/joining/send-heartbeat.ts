import { type HeartbeatResult, heartbeatIfDue, heartbeatStep, isNewWait } from '../passes/heartbeats.ts';
import { noticedAction } from '../passes/hook-notice.ts';
import type { Noted } from '../passes/steps.ts';
import type { JoiningContext, Planned, Started } from './context.ts';

type State = Started & Partial<HeartbeatResult> & Partial<Planned>;

/**
 * Sends a heartbeat if one is due, before anything that can fail or take long (docs/adr/0016). The pass runs this step twice: first with
 * the hook of the message, and then, if that was another hook or its wait was unknown, with the hook of the group.
 */
export const sendHeartbeat = (context: JoiningContext, state: State): Promise<HeartbeatResult & Noted> =>
  heartbeatStep(context, state, () => trySending(context, state));

async function trySending(
  context: JoiningContext,
  { subject, plan }: State,
): Promise<HeartbeatResult['heartbeat']> {
  const action = plan?.action ?? noticedAction(subject, context.settings.joiningHookName);
  if (!action) return 'unknown';
  const isNew = subject.notices.some(
    ({ cause, noticedAt }) => cause === 'launching' && isNewWait(noticedAt, context),
  );
  return await heartbeatIfDue(context, action, { mayWaitAgain: plan !== undefined || isNew });
}
