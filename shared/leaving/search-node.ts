import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { likelyNodeNames, type NamedInstance } from '../nodes/node-names.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';
import { ownNodesOf } from './own-nodes.ts';

/** The Node of an instance. */
export interface FoundNode {
  readonly node: Node;
  /** Other Nodes name the instance too: its kubelet once registered under another name. */
  readonly hasTwins: boolean;
}

/**
 * Finds the Node of an instance. A Node counts only by its providerID: its name may be the private DNS name, the instance
 * id or anything else, but not that of another instance (a kubelet can claim any providerID). The likely names are tried first, then a consistent list of all nodes: one from the watch cache may be older
 * than the Node. One kubelet runs on an instance, so a Node that is Ready is the living one. Only where the Node of a likely
 * name is not Ready does the list tell whether another is.
 *
 * @returns undefined when no listed node has the instance's providerID.
 * @throws where a look-up fails: that never counts as "no Node".
 */
export async function searchNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<FoundNode | undefined> {
  const { cluster, memory } = context;
  const { instanceId } = subject;
  const known = memory.recall(instanceId);
  if (known?.nodeDeleted) return undefined;
  if (known?.node && known.hasTwins !== undefined) return { node: known.node, hasTwins: known.hasTwins };
  const likely = await searchLikelyNode(context, subject);
  const nodes =
    likely && isNodeReady(likely)
      ? [likely]
      : await ownNodesOf(context, await cluster.listNodes('consistent'), { instanceId });
  const [node] = nodes.toSorted(livingFirst);
  if (!node) return undefined;
  const hasTwins = nodes.length > 1;
  memory.remember(instanceId, { node, hasTwins });
  return { node, hasTwins };
}

/** Of several Nodes of one instance the living one: it is Ready, or else the newest. */
function livingFirst(one: Node, other: Node): number {
  const byReady = Number(isNodeReady(other)) - Number(isNodeReady(one));
  return byReady || createdAt(other) - createdAt(one);
}

const createdAt = ({ metadata }: Node): number => Date.parse(metadata?.creationTimestamp ?? '') || 0;

/** The Node under one of its likely names: for cases where a miss does no harm, because the sweep reads the whole list. */
export async function searchLikelyNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<Node | undefined> {
  const { instanceId, redelivered } = subject;
  const known = await searchMarkedNode(context, subject);
  if (known) return known;
  const { names, instance } = await likelyNames(context, subject);
  // On a slow API server a pass has time for three or four answers, one after another: at most two are spent here.
  const rounds = redelivered ? [names] : [names.slice(0, 1), names.slice(1)];
  for (const round of rounds) {
    const nodes = await Promise.all(round.map((name) => context.cluster.getNode(name)));
    const found = nodes.filter((one) => one !== undefined);
    const [node] = (await ownNodesOf(context, found, instance)).toSorted(livingFirst);
    if (node) return remembered(context, instanceId, node);
  }
  return undefined;
}

/** The Node that is remembered, or that an earlier pass has marked. Label look-ups of the same moment are one request. */
export async function searchMarkedNode(
  context: LeavingContext,
  { instanceId, redelivered }: LeavingSubject,
): Promise<Node | undefined> {
  const known = context.memory.recall(instanceId)?.node;
  if (known) return known;
  const marked = redelivered ? await context.cluster.getMarkedNode(instanceId) : undefined;
  const [own] = marked ? await ownNodesOf(context, [marked], { instanceId }) : [];
  return remembered(context, instanceId, own);
}

async function likelyNames(
  { ec2 }: LeavingContext,
  { instanceId, notices }: LeavingSubject,
): Promise<{ readonly names: readonly string[]; readonly instance: NamedInstance }> {
  const told = notices.flatMap(({ nodeName }) => nodeName ?? []);
  if (told.length > 0) return { names: told, instance: { instanceId } };
  const instance = { instanceId, ...(await ec2.describeInstance(instanceId)) };
  return { names: likelyNodeNames(instance), instance };
}

function remembered(
  { memory }: LeavingContext,
  instanceId: string,
  node: Node | undefined,
): Node | undefined {
  if (node) memory.remember(instanceId, { node });
  return node;
}
