import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../base/clock.ts';
import { youngestOf } from '../base/youngest-of.ts';
import { createHeartbeatMemory, type HeartbeatMemory } from '../passes/next-heartbeat.ts';

export interface RememberedInstance {
  /** The Node as it was last read or patched. */
  readonly node?: Node;
  /** Whether other Nodes name the instance too; absent: that was not looked for. */
  readonly hasTwins?: boolean;
  /** Its Node is deleted. */
  readonly nodeDeleted?: true;
  /** Its Node is deleted, and its hook completed; or it was handed back to Auto Scaling, and a wait on the hook begins with that. */
  readonly released?: 'completed' | 'handed-back';
}

/**
 * What this environment of the function remembers of the instances that it works on. Everything here may be lost at any
 * time: a fresh read or a precondition checks what is remembered of a Node, and without a remembered heartbeat one is sent.
 */
export interface LeavingMemory extends HeartbeatMemory {
  /** What was remembered less than 45 seconds ago. */
  recall(instanceId: string): RememberedInstance | undefined;
  /** Adds to what is remembered, which stays as old as its oldest part. */
  remember(instanceId: string, seen: RememberedInstance): void;
  /** This environment deleted the Node of the instance, however long ago: a reason to look, and no answer. */
  hasDeletedNode(instanceId: string): boolean;
  forget(instanceId: string): void;
}

const trustedSeconds = 45;
const mostInstances = 500;

/** Bounded: the oldest entry is dropped first. */
export function createLeavingMemory(clock: Clock): LeavingMemory {
  const instances = youngestOf<{ readonly seen: RememberedInstance; readonly at: number }>(mostInstances);
  const fresh = (instanceId: string) => {
    const entry = instances.get(instanceId);
    return entry && clock.now() - entry.at < trustedSeconds * 1000 ? entry : undefined;
  };
  return {
    ...createHeartbeatMemory(),
    recall: (instanceId) => fresh(instanceId)?.seen,
    remember: (instanceId, seen) => {
      const known = fresh(instanceId);
      instances.put(instanceId, { seen: { ...known?.seen, ...seen }, at: known?.at ?? clock.now() });
    },
    hasDeletedNode: (instanceId) => instances.get(instanceId)?.seen.nodeDeleted === true,
    forget: instances.remove,
  };
}
