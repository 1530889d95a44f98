import type { AutoScalingGroup } from '../groups/group.ts';
import { isRetained } from '../groups/lifecycle-state.ts';
import type { NodeMetadata } from '../nodes/cluster.ts';
import { type LeavingMark, readLeavingMark } from '../nodes/leaving-mark.ts';
import { leavingLabel } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { type LeavingInstance, membersOf } from './concurrency-limit.ts';
import type { LeavingContext } from './context.ts';

/** An instance whose Node is cordoned and waits for its replacement, or for its turn after that. */
export interface AwaitingInstance extends LeavingInstance {
  readonly awaiting: NonNullable<LeavingMark['awaiting']>;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface MarkedInstances {
  /** Their drain has begun. */
  readonly started: readonly LeavingInstance[];
  readonly awaiting: readonly AwaitingInstance[];
}

/** Instances with a marked Node. A retained instance waits for an operator and does not occupy a slot. */
export async function markedIn(
  context: LeavingContext,
  groups: readonly AutoScalingGroup[],
  notBefore?: number,
): Promise<MarkedInstances> {
  const nodes = await context.cluster.listNodeMetadata(leavingLabel, notBefore);
  const marks = (await Promise.all(nodes.map((node) => ownMark(context, node)))).filter(
    (mark) => mark !== undefined,
  );
  const marked = marks.flatMap(({ instanceId, awaiting, since }) => {
    const member = groups.map((group) => membersOf(group).get(instanceId)).find((found) => found);
    if (member && isRetained(member)) return [];
    const { autoScalingGroupName = '' } = member ?? {};
    return [{ instanceId, autoScalingGroupName, awaiting, since: Date.parse(since) }];
  });
  return {
    started: marked
      .filter(({ awaiting }) => awaiting === undefined)
      .map(({ instanceId, autoScalingGroupName }) => ({ instanceId, autoScalingGroupName })),
    awaiting: marked.flatMap(({ awaiting, ...one }) =>
      awaiting === undefined ? [] : [{ ...one, awaiting }],
    ),
  };
}

/**
 * The mark of a Node, if it names the instance in its providerID: a kubelet can write a mark on its own Node, and would otherwise
 * occupy the slot of any other instance, or start the leave of one that waits for its turn.
 */
async function ownMark(context: LeavingContext, node: NodeMetadata): Promise<LeavingMark | undefined> {
  const mark = readLeavingMark(node.annotations);
  if (mark === undefined) return undefined;
  return (await ownerOf(context, node, mark.instanceId)) === mark.instanceId ? mark : undefined;
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
