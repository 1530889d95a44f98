import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import {
  globalTimeoutSecondsOf,
  longestGlobalTimeoutSeconds,
  shortestHeartbeatTimeoutSeconds,
} from '../../../../shared/groups/hook-timing.ts';
import { type NthSettings, numberIn } from '../settings/settings.ts';

const defaultUntilSeconds = 172_800;

/**
 * How long the handler holds an instance on its hook: the heartbeat timeout, or with heartbeats until the timeout after the last one, within
 * the global timeout (README, "Issuing Lifecycle Heartbeats"). Pure.
 */
export function holdSecondsOf(
  { heartbeatTimeoutSeconds: timeout }: Pick<LifecycleHook, 'heartbeatTimeoutSeconds'>,
  settings: NthSettings,
): number {
  const interval = numberIn(settings, 'heartbeatInterval') ?? -1;
  const until = numberIn(settings, 'heartbeatUntil') ?? -1;
  const lastHeartbeat =
    interval <= 0 || interval >= timeout
      ? 0
      : Math.floor((until <= 0 ? defaultUntilSeconds : until) / interval) * interval;
  const seconds = Math.min(
    lastHeartbeat + timeout,
    globalTimeoutSecondsOf(timeout),
    longestGlobalTimeoutSeconds,
  );
  return Math.max(shortestHeartbeatTimeoutSeconds, seconds);
}
