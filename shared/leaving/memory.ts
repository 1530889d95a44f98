import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';
import { youngestOf } from '../base/youngest-of.ts';
import type { Ec2Instance } from '../groups/ec2.ts';

export interface RememberedInstance {
  /** The Node as last read or patched. */
  readonly node?: Node;
  /** Whether other Nodes have the same providerID; undefined if that was not checked. */
  readonly hasTwins?: boolean;
  /** What EC2 reported about it. A state other than `terminated` may have changed since. */
  readonly ec2?: Ec2Instance;
  /** Auto Scaling has accepted a heartbeat for our hook. */
  readonly waitsOnOurHook?: true;
  /** Its Node is deleted. */
  readonly nodeDeleted?: true;
  /** Its Node is deleted, and its hook completed; or it was handed back to Auto Scaling, which starts a wait on the hook. */
  readonly released?: 'completed' | 'handed-back';
}

/**
 * What this environment of the function remembers of the instances that it works on. All of it may be lost at any time: what is
 * remembered of a Node is checked by a fresh read or a precondition.
 */
export interface LeavingMemory {
  /** What was remembered in the last 45 seconds. */
  recall(instanceId: string): RememberedInstance | undefined;
  /** Adds to what is remembered. The entry stays as old as its oldest part. */
  remember(instanceId: string, seen: RememberedInstance): void;
  /** When the remembered Node was read or patched, in epoch milliseconds; undefined if no Node is remembered. */
  nodeReadAt(instanceId: string): number | undefined;
  /** This environment has deleted the Node of the instance at some time. It is a reason to read the Node, not a proof that it is gone. */
  hasDeletedNode(instanceId: string): boolean;
  /** The instance in the providerID of a Node, by the UID of the Node: a providerID never changes, so this does not age. */
  ownerOf(nodeUid: string): string | undefined;
  rememberOwner(nodeUid: string, instanceId: string): void;
  forget(instanceId: string): void;
}

const trustedSeconds = 45;
const mostInstances = 500;

/** Remembers a bounded number of instances, and drops the oldest first. */
export function createLeavingMemory(clock: Clock): LeavingMemory {
  interface Entry {
    readonly seen: RememberedInstance;
    readonly at: number;
    readonly nodeReadAt?: number | undefined;
  }
  const instances = youngestOf<Entry>(mostInstances);
  // Apart, because an entry that is too old is replaced when something else is remembered.
  const deletedNodes = youngestOf<true>(mostInstances);
  const owners = youngestOf<string>(mostInstances);
  const fresh = (instanceId: string) => {
    const entry = instances.get(instanceId);
    return entry && isRecent(entry.at, { now: clock.now(), seconds: trustedSeconds }) ? entry : undefined;
  };
  return {
    recall: (instanceId) => fresh(instanceId)?.seen,
    remember: (instanceId, seen) => {
      const known = fresh(instanceId);
      if (seen.nodeDeleted) deletedNodes.put(instanceId, true);
      instances.put(instanceId, {
        seen: { ...known?.seen, ...seen },
        at: known?.at ?? clock.now(),
        nodeReadAt: seen.node ? clock.now() : known?.nodeReadAt,
      });
    },
    nodeReadAt: (instanceId) => fresh(instanceId)?.nodeReadAt,
    hasDeletedNode: (instanceId) => deletedNodes.get(instanceId) === true,
    ownerOf: (nodeUid) => owners.get(nodeUid),
    rememberOwner: (nodeUid, instanceId) => owners.put(nodeUid, instanceId),
    forget: (instanceId) => {
      instances.remove(instanceId);
      deletedNodes.remove(instanceId);
    },
  };
}
