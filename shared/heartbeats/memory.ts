import { youngestOf } from '../base/youngest-of.ts';
import type { LifecycleHook } from '../groups/group.ts';

type Timeouts = Pick<LifecycleHook, 'heartbeatTimeoutSeconds' | 'globalTimeoutSeconds'>;

/**
 * What this environment of the function remembers. Another environment may send the next heartbeat of a wait, so all of it may be missing:
 * it only makes retries more urgent and reads rarer.
 */
export interface HeartbeatMemory {
  /** When the timer of the wait was restarted, in epoch milliseconds, as far as this environment knows. */
  restartedAt(key: string): number | undefined;
  rememberRestart(key: string, at: number): void;
  /** The timeouts of a hook, as they were read last. */
  timeouts(hook: string): Timeouts | undefined;
  rememberTimeouts(hook: string, timeouts: Timeouts): void;
  /** The shortest timeout that the hook of the wait has had, as far as this environment knows. */
  shortestTimeout(key: string): number | undefined;
  rememberTimeout(key: string, heartbeatTimeoutSeconds: number): void;
  /** Since when Auto Scaling does not know the instance of the wait, in epoch milliseconds. */
  missingSince(key: string): number | undefined;
  rememberMissing(key: string, at: number): void;
}

const mostWaits = 20_000;
const mostHooks = 2000;

export function createHeartbeatMemory(): HeartbeatMemory {
  const restarts = youngestOf<number>(mostWaits);
  const shortest = youngestOf<number>(mostWaits);
  const missing = youngestOf<number>(mostWaits);
  const timeouts = youngestOf<Timeouts>(mostHooks);
  return {
    restartedAt: restarts.get,
    rememberRestart: restarts.put,
    timeouts: timeouts.get,
    rememberTimeouts: (hook, { heartbeatTimeoutSeconds, globalTimeoutSeconds }) =>
      timeouts.put(hook, { heartbeatTimeoutSeconds, globalTimeoutSeconds }),
    shortestTimeout: shortest.get,
    rememberTimeout: shortest.put,
    missingSince: missing.get,
    rememberMissing: missing.put,
  };
}
