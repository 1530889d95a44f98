import { youngestOf } from '../base/youngest-of.ts';

/**
 * What this environment of the function remembers. Another environment may send the next heartbeat of a wait, so all of it may be missing:
 * it only makes reads rarer.
 */
export interface HeartbeatMemory {
  /** The heartbeat timeout of a hook in seconds, as it was read last. */
  timeout(hook: string): number | undefined;
  rememberTimeout(hook: string, seconds: number): void;
  /** Since when Auto Scaling does not know the instance of the wait, in epoch milliseconds. */
  missingSince(key: string): number | undefined;
  rememberMissing(key: string, at: number): void;
}

const mostWaits = 20_000;
const mostHooks = 2000;

export function createHeartbeatMemory(): HeartbeatMemory {
  const missing = youngestOf<number>(mostWaits);
  const timeouts = youngestOf<number>(mostHooks);
  return {
    timeout: timeouts.get,
    rememberTimeout: timeouts.put,
    missingSince: missing.get,
    rememberMissing: missing.put,
  };
}
