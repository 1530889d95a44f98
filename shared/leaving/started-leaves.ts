import type { AutoScalingGroup } from '../groups/group.ts';
import { isRetained } from '../groups/lifecycle-state.ts';
import type { NodeMetadata } from '../nodes/cluster.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { leavingLabel } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { type LeavingInstance, membersOf } from './concurrency-limit.ts';
import type { LeavingContext } from './context.ts';

/** Instances with a marked Node. A retained instance waits for an operator and does not occupy a slot. */
export async function startedIn(
  context: LeavingContext,
  groups: readonly AutoScalingGroup[],
  notBefore?: number,
): Promise<LeavingInstance[]> {
  const nodes = await context.cluster.listNodeMetadata(leavingLabel, notBefore);
  const started = await Promise.all(nodes.map((node) => markedInstance(context, node)));
  return started.flatMap((instanceId) => {
    if (instanceId === undefined) return [];
    const member = groups.map((group) => membersOf(group).get(instanceId)).find((found) => found);
    if (member && isRetained(member)) return [];
    return [{ instanceId, autoScalingGroupName: member?.autoScalingGroupName ?? '' }];
  });
}

/**
 * The instance in the mark of a Node, if it is the one in its providerID: a kubelet can write a mark on its own Node, and would otherwise
 * occupy the slot of any other instance, or start the leave of one that waits for its turn.
 */
async function markedInstance(context: LeavingContext, node: NodeMetadata): Promise<string | undefined> {
  const instanceId = readLeavingMark(node.annotations)?.instanceId;
  if (instanceId === undefined) return undefined;
  return (await ownerOf(context, node, instanceId)) === instanceId ? instanceId : undefined;
}

/** Reads a Node once. Reads by the label share one request; a Node whose label is another one is read by its name. */
async function ownerOf(
  { cluster, memory }: LeavingContext,
  { name, uid }: NodeMetadata,
  instanceId: string,
): Promise<string | undefined> {
  const known = memory.ownerOf(uid);
  if (known !== undefined) return known;
  const marked = memory.recall(instanceId)?.node ?? (await cluster.getMarkedNode(instanceId));
  const node = marked?.metadata?.uid === uid ? marked : await cluster.getNode(name);
  // Another Node has the name by now, so the listed one is gone, and its mark with it.
  if (node?.metadata?.uid !== uid) return undefined;
  const owner = instanceIdOf(node.spec?.providerID);
  if (owner !== undefined) memory.rememberOwner(uid, owner);
  return owner;
}
