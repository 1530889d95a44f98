import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../lifecycle/clock.ts';

/**
 * What a warm Lambda still knows of the nodes that it works on. It only saves calls: nothing is decided by it that a
 * precondition or a fresh read does not check, and forgetting it loses nothing.
 */
export interface NodeMemory {
  /** The Node as last seen, if that is not too long ago. */
  recall(instanceId: string): Node | undefined;
  remember(instanceId: string, node: Node): void;
  forget(instanceId: string): void;
}

const secondsToTrust = 45;
const entriesToKeep = 500;

/** Bounded: the oldest is forgotten first. */
export function createNodeMemory(clock: Clock): NodeMemory {
  const entries = new Map<string, { readonly node: Node; readonly at: number }>();
  return {
    recall: (instanceId) => {
      const entry = entries.get(instanceId);
      const isFresh = entry !== undefined && clock.now() - entry.at < secondsToTrust * 1000;
      return isFresh ? entry.node : undefined;
    },
    remember: (instanceId, node) => {
      entries.delete(instanceId);
      entries.set(instanceId, { node, at: clock.now() });
      const oldest = entries.keys().next();
      if (entries.size > entriesToKeep && !oldest.done) entries.delete(oldest.value);
    },
    forget: (instanceId) => {
      entries.delete(instanceId);
    },
  };
}
