import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../../base/clock.ts';
import type { GroupInstance } from '../../lifecycle/group.ts';

export interface RememberedLeaver {
  /** The Node as it was last read or patched. */
  readonly node?: Node;
  /** The instance, once it was seen in Terminating:Wait. */
  readonly waiting?: GroupInstance;
  /** Its Node is deleted and its hook completed. */
  readonly released?: true;
}

/**
 * What a warm Lambda still knows of the instances that it works on. It only saves calls: nothing is decided by it that a
 * precondition or a fresh read does not check, and forgetting it loses nothing.
 */
export interface LeaverMemory {
  /** What was seen, if that is not too long ago. */
  recall(instanceId: string): RememberedLeaver | undefined;
  /** Adds to what is known; it stays as old as the oldest part. */
  remember(instanceId: string, seen: RememberedLeaver): void;
  forget(instanceId: string): void;
  /** Names under which its Node may be found, however long ago they were learned: an instance keeps its private names for life. */
  namesOf(instanceId: string): readonly string[] | undefined;
  rememberNames(instanceId: string, names: readonly string[]): void;
}

const secondsToTrust = 45;
const entriesToKeep = 500;
const namesToKeep = 5000;

/** Bounded: the oldest is forgotten first. */
export function createLeaverMemory(clock: Clock): LeaverMemory {
  const entries = new Map<string, { readonly leaver: RememberedLeaver; readonly at: number }>();
  const names = new Map<string, readonly string[]>();
  const fresh = (instanceId: string) => {
    const entry = entries.get(instanceId);
    return entry && clock.now() - entry.at < secondsToTrust * 1000 ? entry : undefined;
  };
  return {
    recall: (instanceId) => fresh(instanceId)?.leaver,
    remember: (instanceId, seen) => {
      const known = fresh(instanceId);
      entries.delete(instanceId);
      entries.set(instanceId, { leaver: { ...known?.leaver, ...seen }, at: known?.at ?? clock.now() });
      keepYoungest(entries, entriesToKeep);
    },
    forget: (instanceId) => {
      entries.delete(instanceId);
    },
    namesOf: (instanceId) => names.get(instanceId),
    rememberNames: (instanceId, likely) => {
      names.delete(instanceId);
      names.set(instanceId, likely);
      keepYoungest(names, namesToKeep);
    },
  };
}

function keepYoungest(entries: Map<string, unknown>, count: number): void {
  const oldest = entries.keys().next();
  if (entries.size > count && !oldest.done) entries.delete(oldest.value);
}
