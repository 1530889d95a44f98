import type { Noted } from '../steps.ts';
import type { HeartbeatContext, HeartbeatResult } from './heartbeat.ts';
import { learnTimeout, type WaitPlan } from './next-heartbeat.ts';

interface HeartbeatState extends Noted, Partial<HeartbeatResult> {
  readonly subject: { readonly instanceId: string };
  /** Absent: only the messages are known yet. */
  readonly plan?: WaitPlan;
}

/**
 * The step of a pass that sends a heartbeat. A pass takes it twice, before and after the hook of the group is known: `send` is called
 * where the result is still `unknown`, any other is kept. The timeout of the hook is remembered, and a heartbeat that failed is noted once.
 */
export async function heartbeatStep(
  context: Pick<HeartbeatContext, 'memory'>,
  { subject: { instanceId }, plan, notes, heartbeat = 'unknown' }: HeartbeatState,
  send: () => Promise<HeartbeatResult['heartbeat']>,
): Promise<HeartbeatResult & Noted> {
  const tried = heartbeat === 'unknown' ? await send() : heartbeat;
  if (plan) learnTimeout(context, instanceId, plan);
  const hasJustFailed = tried === 'failed' && heartbeat !== 'failed';
  return {
    heartbeat: tried,
    notes: hasJustFailed ? [...notes, `the heartbeat for ${instanceId} could not be sent`] : notes,
  };
}
