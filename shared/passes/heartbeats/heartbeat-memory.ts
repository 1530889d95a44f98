import { youngestOf } from '../../base/youngest-of.ts';
import type { LifecycleAction } from '../../groups/group.ts';

export interface RememberedHeartbeat {
  /** The wait that heartbeats are sent for; absent: it has ended. */
  readonly action?: LifecycleAction | undefined;
  /** Epoch milliseconds of the last one that Auto Scaling has answered; -Infinity: none yet. */
  readonly sentAt: number;
  /** Epoch milliseconds of the last attempt. */
  readonly triedAt: number;
  /** Known once the hooks of the group have been read. */
  readonly heartbeatTimeoutSeconds?: number;
  /** Epoch milliseconds at which no heartbeat helps any more. */
  readonly limit?: number;
}

/**
 * The heartbeats that this environment of a function has sent. Everything here may be lost at any time: without a remembered
 * heartbeat one is sent.
 */
export interface HeartbeatMemory {
  lastHeartbeat(instanceId: string): RememberedHeartbeat | undefined;
  rememberHeartbeat(instanceId: string, heartbeat: RememberedHeartbeat): void;
}

const mostHeartbeats = 5000;

/** Bounded: the oldest entry is dropped first. */
export function createHeartbeatMemory(): HeartbeatMemory {
  const heartbeats = youngestOf<RememberedHeartbeat>(mostHeartbeats);
  return { lastHeartbeat: heartbeats.get, rememberHeartbeat: heartbeats.put };
}
