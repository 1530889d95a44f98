import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../../base/clock.ts';
import type { LifecycleAction } from '../../lifecycle/group.ts';

export interface RememberedInstance {
  /** The Node as it was last read or patched. */
  readonly node?: Node;
  /** Whether other Nodes name the instance too; absent: that was not looked for. */
  readonly hasTwins?: boolean;
  /** Its Node is deleted. */
  readonly nodeDeleted?: true;
  /** Its Node is deleted and its hook completed. */
  readonly released?: true;
}

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
 * What this environment of the function remembers of the instances that it works on. Everything here may be lost at any
 * time: a fresh read or a precondition checks what is remembered of a Node, and without a remembered heartbeat one is sent.
 */
export interface LeavingMemory {
  /** What was remembered less than 45 seconds ago. */
  recall(instanceId: string): RememberedInstance | undefined;
  /** Adds to what is remembered, which stays as old as its oldest part. */
  remember(instanceId: string, seen: RememberedInstance): void;
  /** This environment deleted the Node of the instance, however long ago: a reason to look, and no answer. */
  hasDeletedNode(instanceId: string): boolean;
  forget(instanceId: string): void;
  lastHeartbeat(instanceId: string): RememberedHeartbeat | undefined;
  rememberHeartbeat(instanceId: string, heartbeat: RememberedHeartbeat): void;
}

const trustedSeconds = 45;
const mostInstances = 500;
const mostHeartbeats = 5000;

/** Bounded: the oldest entry is dropped first. */
export function createLeavingMemory(clock: Clock): LeavingMemory {
  const instances = new Map<string, { readonly seen: RememberedInstance; readonly at: number }>();
  const heartbeats = new Map<string, RememberedHeartbeat>();
  const fresh = (instanceId: string) => {
    const entry = instances.get(instanceId);
    return entry && clock.now() - entry.at < trustedSeconds * 1000 ? entry : undefined;
  };
  return {
    recall: (instanceId) => fresh(instanceId)?.seen,
    remember: (instanceId, seen) => {
      const known = fresh(instanceId);
      const entry = { seen: { ...known?.seen, ...seen }, at: known?.at ?? clock.now() };
      putYoungest(instances, { instanceId, entry, most: mostInstances });
    },
    hasDeletedNode: (instanceId) => instances.get(instanceId)?.seen.nodeDeleted === true,
    forget: (instanceId) => {
      instances.delete(instanceId);
    },
    lastHeartbeat: (instanceId) => heartbeats.get(instanceId),
    rememberHeartbeat: (instanceId, entry) =>
      putYoungest(heartbeats, { instanceId, entry, most: mostHeartbeats }),
  };
}

function putYoungest<Entry>(
  entries: Map<string, Entry>,
  { instanceId, entry, most }: { readonly instanceId: string; readonly entry: Entry; readonly most: number },
): void {
  entries.delete(instanceId);
  entries.set(instanceId, entry);
  const oldest = entries.keys().next();
  if (entries.size > most && !oldest.done) entries.delete(oldest.value);
}
