import { beatIfDue, type HeartbeatResult, isNewWait } from '../../lifecycle/heartbeats/heartbeat.ts';
import { learnTimeout } from '../../lifecycle/heartbeats/next-heartbeat.ts';
import { noticedAction } from '../../lifecycle/noticed-action.ts';
import type { Noted } from '../../lifecycle/steps.ts';
import type { JoiningContext } from '../context.ts';
import type { Planned, Started } from '../state.ts';

type State = Started & Partial<HeartbeatResult> & Partial<Planned>;

/**
 * Sends a heartbeat if one is due, before anything that can fail or take long (docs/adr/0016). The pass takes this step twice: first
 * with the hook of the message, then, where that was another hook or its wait was unknown, with the hook of the group.
 */
export async function sendHeartbeat(context: JoiningContext, state: State): Promise<HeartbeatResult & Noted> {
  const { subject, plan, notes, heartbeat = 'unknown' } = state;
  const tried = heartbeat === 'unknown' ? await trySending(context, state) : heartbeat;
  if (plan) learnTimeout(context, subject.instanceId, plan);
  const hasJustFailed = tried === 'failed' && heartbeat !== 'failed';
  return {
    heartbeat: tried,
    notes: hasJustFailed ? [...notes, `the heartbeat for ${subject.instanceId} could not be sent`] : notes,
  };
}

async function trySending(
  context: JoiningContext,
  { subject, plan }: State,
): Promise<HeartbeatResult['heartbeat']> {
  const action = plan?.action ?? noticedAction(subject, context.settings.joiningHookName);
  if (!action) return 'unknown';
  const isNew = subject.notices.some(
    ({ cause, noticedAt }) => cause === 'launching' && isNewWait(noticedAt, context),
  );
  return await beatIfDue(context, action, { mayWaitAnew: plan !== undefined || isNew });
}
