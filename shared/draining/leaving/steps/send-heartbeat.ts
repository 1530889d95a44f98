import type { LifecycleAction } from '../../../lifecycle/group.ts';
import { recordActionHeartbeat } from '../../../lifecycle/hook-action.ts';
import {
  heartbeatIsDue,
  nextHeartbeatAt,
  shortestHeartbeatTimeoutSeconds,
} from '../../../lifecycle/hook-timing.ts';
import type { Outcome } from '../../../lifecycle/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { noticedAction } from '../leave-plan.ts';
import type { HeartbeatTried, Planned, Started } from '../state.ts';
import type { Noted } from '../steps.ts';

type State = Started & Partial<HeartbeatTried> & Partial<Planned>;

/**
 * Sends a heartbeat before anything that can fail or take long: when a third of the hook's timeout has passed since the last
 * one that this environment of the function remembers, and when it remembers none. The message's own hook data is enough;
 * where no message names our hook, the step runs again when the group and its hooks are known.
 */
export async function sendHeartbeat(context: LeavingContext, state: State): Promise<HeartbeatTried & Noted> {
  const { subject, plan, notes, heartbeat = 'unknown' } = state;
  const tried = heartbeat === 'unknown' ? await trySending(context, state) : heartbeat;
  if (plan?.hook) learnTimeout(context, state);
  const hasJustFailed = tried === 'failed' && heartbeat !== 'failed';
  return {
    heartbeat: tried,
    notes: hasJustFailed ? [...notes, `the heartbeat for ${subject.instanceId} could not be sent`] : notes,
  };
}

async function trySending(
  context: LeavingContext,
  { subject, plan }: State,
): Promise<HeartbeatTried['heartbeat']> {
  const { memory, clock, settings } = context;
  const action = plan?.action ?? noticedAction(subject, settings.leavingHookName);
  if (!action || memory.recall(subject.instanceId)?.released) return 'unknown';
  const now = clock.now();
  const last = memory.lastHeartbeat(subject.instanceId);
  if (last && !heartbeatIsDue({ now, ...timingOf(last) })) return 'not-due';
  const answer = await send(context, action);
  if (answer !== 'failed') memory.rememberHeartbeat(subject.instanceId, { ...last, sentAt: now });
  return answer;
}

async function send(
  { autoScaling, reportError }: LeavingContext,
  action: LifecycleAction,
): Promise<'sent' | 'ended' | 'failed'> {
  try {
    return (await recordActionHeartbeat(autoScaling, action)) === 'recorded' ? 'sent' : 'ended';
  } catch (error) {
    reportError(`the heartbeat for ${action.instanceId} could not be sent; the next pass tries again`, error);
    return 'failed';
  }
}

function learnTimeout({ memory }: LeavingContext, { subject: { instanceId }, plan }: State): void {
  const last = memory.lastHeartbeat(instanceId);
  const heartbeatTimeoutSeconds = plan?.hook?.heartbeatTimeoutSeconds;
  if (last && heartbeatTimeoutSeconds !== undefined && plan)
    memory.rememberHeartbeat(instanceId, { ...last, heartbeatTimeoutSeconds, limit: plan.deadlines.limit });
}

/** A pass that fell behind with its heartbeat comes back after so long. */
const lateSeconds = 5;

/** With short heartbeat timeouts the next pass comes when its heartbeat is due, earlier than the outcome asks for. */
export function beforeNextHeartbeat(
  { memory, clock }: LeavingContext,
  instanceId: string,
  outcome: Outcome,
): Outcome {
  const last = memory.lastHeartbeat(instanceId);
  const now = clock.now();
  if (outcome.status === 'done' || !last || now >= timingOf(last).limit) return outcome;
  const seconds = Math.floor((nextHeartbeatAt(timingOf(last)) - now) / 1000);
  return { ...outcome, afterSeconds: Math.min(outcome.afterSeconds, seconds > 0 ? seconds : lateSeconds) };
}

const timingOf = ({
  sentAt,
  heartbeatTimeoutSeconds = shortestHeartbeatTimeoutSeconds,
  limit = Infinity,
}: NonNullable<ReturnType<LeavingContext['memory']['lastHeartbeat']>>) => ({
  lastHeartbeatAt: sentAt,
  heartbeatTimeoutSeconds,
  limit,
});
