import { youngestOf } from '../base/youngest-of.ts';
import type { LifecycleHook } from '../groups/group.ts';

type Timeouts = Pick<LifecycleHook, 'heartbeatTimeoutSeconds' | 'globalTimeoutSeconds'>;

/**
 * What this environment of the function remembers. Another environment may send the next heartbeat of a wait, so all of it may be missing:
 * it only makes reads rarer.
 */
export interface HeartbeatMemory {
  /** The timeouts of a hook, as they were read last. */
  timeouts(hook: string): Timeouts | undefined;
  rememberTimeouts(hook: string, timeouts: Timeouts): void;
  /** Since when Auto Scaling does not know the instance of the wait, in epoch milliseconds. */
  missingSince(key: string): number | undefined;
  rememberMissing(key: string, at: number): void;
}

const mostWaits = 20_000;
const mostHooks = 2000;

export function createHeartbeatMemory(): HeartbeatMemory {
  const missing = youngestOf<number>(mostWaits);
  const timeouts = youngestOf<Timeouts>(mostHooks);
  return {
    timeouts: timeouts.get,
    rememberTimeouts: (hook, { heartbeatTimeoutSeconds, globalTimeoutSeconds }) =>
      timeouts.put(hook, { heartbeatTimeoutSeconds, globalTimeoutSeconds }),
    missingSince: missing.get,
    rememberMissing: missing.put,
  };
}
