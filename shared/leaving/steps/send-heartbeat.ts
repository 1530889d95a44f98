import { type HeartbeatResult, heartbeatIfDue, heartbeatStep, isNewWait } from '../../passes/heartbeats.ts';
import { noticedAction } from '../../passes/hook-notice.ts';
import type { Noted } from '../../passes/steps.ts';
import type { LeavingContext } from '../context.ts';
import type { Planned, Started } from '../state.ts';

type State = Started & Partial<HeartbeatResult> & Partial<Planned>;

/**
 * Sends a heartbeat before anything that can fail or take long: when a third of the hook's timeout has passed since the last
 * one that this environment of the function remembers, and when it remembers none.
 *
 * The pass takes this step twice. The first time only the messages are known, and what this environment remembers of the wait;
 * where one of them names our hook, that is enough, unless Auto Scaling has told this environment that nothing waits. The second
 * time the plan is known as well: the step sends where the result is still `unknown`, keeps any other result, and remembers the
 * timeout of the hook.
 */
export const sendHeartbeat = (context: LeavingContext, state: State): Promise<HeartbeatResult & Noted> =>
  heartbeatStep(context, state, () => trySending(context, state));

async function trySending(
  context: LeavingContext,
  { subject, plan }: State,
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
