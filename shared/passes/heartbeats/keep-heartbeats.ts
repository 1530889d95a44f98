import type { Timer, TimerClock } from '../../base/clock.ts';
import { heartbeatIsDue } from '../../groups/hook-timing.ts';
import { beat, type HeartbeatContext } from './heartbeat.ts';
import { timingOf } from './next-heartbeat.ts';

/** Often enough for the shortest timeout, of which a third is ten seconds. */
const checkMilliseconds = 2000;
/** As long as a call may take: one that is under way is not sent a second time. */
const retryMilliseconds = 5000;

export interface HeartbeatKeeper {
  /** Resolves once no heartbeat is under way. None is sent after it. */
  end(): Promise<void>;
}

/**
 * Sends the heartbeats that come due while passes run, whatever the passes wait for: one that waits for a slow API server may last
 * longer than the hook's timeout. What the passes remember of their waits tells it which heartbeats, so a pass that ends the wait
 * ends its heartbeats too.
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
    const sending = beat(context, last.action).finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  const check = (): void => {
    // A machine that was frozen with its answer may run this much later.
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
