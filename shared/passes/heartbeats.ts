import type { Clock, Timer, TimerClock } from '../base/clock.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { LifecycleAction } from '../groups/group.ts';
import { recordActionHeartbeat } from './hook-action.ts';
import {
  type HeartbeatMemory,
  heartbeatIsDue,
  learnTimeout,
  timingOf,
  type WaitPlan,
} from './next-heartbeat.ts';
import type { Noted } from './steps.ts';

export interface HeartbeatContext {
  readonly autoScaling: Pick<AutoScaling, 'recordHeartbeat'>;
  readonly clock: Clock;
  readonly memory: HeartbeatMemory;
  /** Logs an error that does not end the pass. */
  readonly reportError: (message: string, error: unknown) => void;
}

/**
 * - `sent`: the heartbeat restarted the timer of the wait;
 * - `not-due`: the last heartbeat is recent enough;
 * - `ended`: Auto Scaling answered that the instance does not wait;
 * - `failed`: the call failed;
 * - `unknown`: the wait is not known yet, or this environment has ended it.
 */
export interface HeartbeatResult {
  readonly heartbeat: 'sent' | 'not-due' | 'ended' | 'failed' | 'unknown';
}

/**
 * Sends a heartbeat if one is due. If Auto Scaling has answered this environment that the instance does not wait, no heartbeat is
 * sent, unless `mayWaitAgain`. Never rejects.
 */
export async function heartbeatIfDue(
  context: HeartbeatContext,
  action: LifecycleAction,
  { mayWaitAgain }: { readonly mayWaitAgain: boolean },
): Promise<HeartbeatResult['heartbeat']> {
  const last = context.memory.lastHeartbeat(action.instanceId);
  if (last && !last.action && !mayWaitAgain) return 'unknown';
  if (last && !heartbeatIsDue({ now: context.clock.now(), ...timingOf(last) })) return 'not-due';
  return await heartbeatNow(context, action);
}

/** Auto Scaling may not know a wait yet when its event arrives. */
const waitSettlesMilliseconds = 60_000;

/** Whether the wait was noticed within the last minute. */
export const isNewWait = (noticedAt: string, { clock }: Pick<HeartbeatContext, 'clock'>): boolean =>
  clock.now() - Date.parse(noticedAt) < waitSettlesMilliseconds;

/**
 * Sends one heartbeat and remembers it. If Auto Scaling answers that the instance does not wait, this environment sends no more
 * heartbeats for it. Never rejects.
 */
export async function heartbeatNow(
  { autoScaling, clock, memory, reportError }: HeartbeatContext,
  action: LifecycleAction,
): Promise<'sent' | 'ended' | 'failed'> {
  const { instanceId } = action;
  const triedAt = clock.now();
  const { sentAt, ...timing } = memory.lastHeartbeat(instanceId) ?? { sentAt: -Infinity };
  memory.rememberHeartbeat(instanceId, { ...timing, sentAt, action, triedAt });
  try {
    const answer = await recordActionHeartbeat(autoScaling, action);
    if (answer !== 'recorded') endHeartbeats({ memory }, instanceId);
    rememberSent({ memory }, instanceId, triedAt);
    return answer === 'recorded' ? 'sent' : 'ended';
  } catch (error) {
    reportError(`the heartbeat for ${instanceId} could not be sent; it is tried again`, error);
    return 'failed';
  }
}

/** Reads the memory again: a pass may have learned the timeout of the hook during the call. */
function rememberSent(
  { memory }: Pick<HeartbeatContext, 'memory'>,
  instanceId: string,
  sentAt: number,
): void {
  const last = memory.lastHeartbeat(instanceId);
  if (last) memory.rememberHeartbeat(instanceId, { ...last, sentAt: Math.max(last.sentAt, sentAt) });
}

/** Sends no more heartbeats for the instance: it no longer waits, or this environment has ended the wait. */
export function endHeartbeats({ memory }: Pick<HeartbeatContext, 'memory'>, instanceId: string): void {
  const { action: _, ...last } = memory.lastHeartbeat(instanceId) ?? { action: undefined };
  if ('sentAt' in last) memory.rememberHeartbeat(instanceId, last);
}

interface HeartbeatState extends Noted, Partial<HeartbeatResult> {
  readonly subject: { readonly instanceId: string };
  /** Absent while only the messages are known. */
  readonly plan?: WaitPlan;
}

/**
 * The step of a pass that sends a heartbeat. A pass runs it twice, before and after it has read the hook of the group. `send` is
 * called while the result is `unknown`; any other result is kept. The step remembers the timeout of the hook, and adds one note if
 * the heartbeat failed.
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

/** Often enough for the shortest timeout, whose heartbeats are due every ten seconds. */
const checkMilliseconds = 2000;
/** The longest time of a call, so that no second heartbeat is sent while the first is in flight. */
const retryMilliseconds = 5000;

interface HeartbeatKeeper {
  /** Sends no more heartbeats. Resolves when none is in flight. */
  end(): Promise<void>;
}

/**
 * Sends the heartbeats that become due while passes run: a pass that waits for a slow API server may take longer than the timeout of
 * the hook. It reads the waits from the memory of the passes, so a pass that ends a wait also ends its heartbeats.
 */
export function keepHeartbeats(
  context: HeartbeatContext & { readonly clock: TimerClock },
  { instanceIds, signal }: { readonly instanceIds: readonly string[]; readonly signal: AbortSignal },
): HeartbeatKeeper {
  const { clock, memory } = context;
  const underWay = new Set<Promise<unknown>>();
  let timer: Timer | undefined;
  let hasEnded = false;
  const sendDue = (instanceId: string): void => {
    const last = memory.lastHeartbeat(instanceId);
    const now = clock.now();
    if (!last?.action || now - last.triedAt < retryMilliseconds) return;
    if (!heartbeatIsDue({ now, ...timingOf(last) })) return;
    const sending = heartbeatNow(context, last.action).finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  const check = (): void => {
    // An environment that Lambda froze after the answer may run this much later.
    if (hasEnded || signal.aborted) return;
    for (const instanceId of instanceIds) sendDue(instanceId);
    timer = clock.after(checkMilliseconds, check);
  };
  timer = clock.after(checkMilliseconds, check);
  return {
    end: async () => {
      hasEnded = true;
      timer?.cancel();
      await Promise.all(underWay);
    },
  };
}
