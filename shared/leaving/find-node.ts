import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import { otherClustersOf } from '../groups/group.ts';
import { believedMarkOf } from '../nodes/leaving-mark.ts';
import { isKubeletSilent, isNodeReady } from '../nodes/node-condition.ts';
import {
  instanceIdOf,
  isNamedByAddress,
  isNodeOf,
  likelyNodeNames,
  type NamedInstance,
} from '../nodes/node-names.ts';
import type { LeavingNotice } from '../passes/leaving-notice.ts';
import { again, type Outcome } from '../passes/outcome.ts';
import type { Leaving, LeavingContext, LeavingSubject, NodeFound, Planned, Started } from './context.ts';
import { planWith } from './leave-plan.ts';
import { letVolumesGo } from './out-of-service.ts';
import { completeHook, release } from './release-instance.ts';
import { keepTakenNode } from './taken-node.ts';

type State = Started & Leaving & Planned;

/** Finds the Node, and plans again from the time in its mark; undefined if there is no Node. */
export async function planWithNode(
  context: LeavingContext,
  state: State,
): Promise<(NodeFound & Pick<Planned, 'plan'>) | undefined> {
  const found = await searchNode(context, state.subject);
  if (!found) return undefined;
  const noticedAt = state.subject.notices.map((notice) => Date.parse(notice.noticedAt));
  const now = context.clock.now();
  const mark = believedMarkOf(found.node, { now, startedAt: Math.min(now, ...noticedAt) });
  if (!mark) return { ...found, plan: state.plan };
  return { ...found, mark, plan: planWith(context, state, mark) };
}

/** Finds the Node of the instance. Without a Node there is nothing to drain, and the hook is completed unless another cluster may drain. */
export async function findNode(
  context: LeavingContext,
  state: State,
): Promise<Outcome | (NodeFound & Pick<Planned, 'plan'>)> {
  const found = await planWithNode(context, state);
  return (
    found ??
    awaitOtherCluster(context, state) ??
    (await completeHook(context, { ...state, nodeResult: 'it has no node', nodeIsGone: true }))
  );
}

/**
 * A group with the tags of two clusters has instances that are Nodes of the other one. Its Drover may begin the drain as late as it can, so
 * that only that one ends the wait.
 */
function awaitOtherCluster(
  { memory, settings }: LeavingContext,
  { group, subject }: State,
): Outcome | undefined {
  const [other] = otherClustersOf(group, settings.clusterName);
  const wasOurs = memory.hasDeletedNode(subject.instanceId) || isNodeDeleted(subject);
  if (other === undefined || wasOurs) return undefined;
  return again(
    otherClusterSeconds,
    `it has no node here, and its group ${group.autoScalingGroupName} also has the tag of cluster ${other}, which may drain it`,
  );
}

const otherClusterSeconds = 60;

const settlingSeconds = 5;

/** If the instance has ended while its hook still waits, its pods cannot be evicted, and the API would never show that they ended. */
export async function endIfInstanceGone(
  context: LeavingContext,
  state: State & NodeFound,
): Promise<Outcome | object> {
  const { instance, node, ec2 } = state;
  const gone = await whyInstanceIsGone(context, { instanceId: instance.instanceId, node, ec2 });
  if (gone === undefined) return {};
  const taken = await keepTakenNode(context, state, gone);
  if (taken === 'unsettled')
    return again(settlingSeconds, `${gone}, and the kubelet of its node may still report`);
  if (taken !== undefined)
    return await completeHook(context, { ...state, keepsNode: false, nodeResult: taken });
  const { instanceId } = instance;
  const held = gone === terminated ? await letVolumesGo(context, { instanceId, node, gone }) : undefined;
  if (held) return held;
  const outcome = await release(context, { ...state, keepsNode: false }, { isGone: true });
  return { ...outcome, reason: `${gone}, there is nothing to drain; ${outcome.reason}` };
}

const terminated = 'EC2 reports it as terminated';

/**
 * Positive evidence that nothing runs on a Node any more, although its instance still waits: EC2 reports it terminated, or it is
 * shutting down and its kubelet does not respond (a kubelet that responds may still end pods). EC2 is read only if the kubelet does not
 * respond and this pass has not read it before.
 *
 * @returns why nothing runs there, for the outcome; undefined if there is no such evidence.
 */
export async function whyInstanceIsGone(
  context: Pick<LeavingContext, 'ec2' | 'memory'>,
  {
    instanceId,
    node,
    ec2,
  }: { readonly instanceId: string; readonly node: Node; readonly ec2?: Ec2Instance | undefined },
): Promise<string | undefined> {
  const isSilent = isKubeletSilent(node);
  const known = ec2 ?? context.memory.recall(instanceId)?.ec2;
  const isEnded = known?.state === 'terminated';
  const instance = isSilent && !isEnded && !ec2 ? await context.ec2.describeInstance(instanceId) : known;
  if (instance?.state === 'terminated') return terminated;
  if (isSilent && instance?.state === 'shutting-down')
    return 'it is shutting down and its kubelet does not respond';
  return undefined;
}

/**
 * Whether an earlier pass over this wait has deleted the Node, and could not complete the hook. A wait of another token came later: the
 * instance has returned from a warm pool or a new root volume, and has a new Node.
 */
export const isNodeDeleted = ({ notices }: Pick<LeavingSubject, 'notices'>): boolean => {
  const tokensOf = (some: readonly LeavingNotice[]) =>
    some.flatMap(({ hook }) => hook?.lifecycleActionToken ?? []);
  const deleted = notices.filter(({ nodeDeleted }) => nodeDeleted);
  const tokens = new Set(tokensOf(deleted));
  return deleted.length > 0 && (tokens.size === 0 || tokensOf(notices).every((token) => tokens.has(token)));
};

interface FoundNode {
  readonly node: Node;
  /** Other Nodes have the same providerID: the kubelet once registered under another name. */
  readonly hasTwins: boolean;
}

/**
 * Finds the Node of an instance by its providerID. The name of the Node can be the private DNS name, the instance id or anything
 * else, but not the name of another instance, because a kubelet can claim any providerID.
 *
 * The likely names are tried first, then a consistent list of all nodes: the watch cache may be older than the Node. An instance runs
 * one kubelet, so a Node that is Ready is the current one. If the Node with a likely name is not Ready, the list shows whether
 * another one is.
 *
 * @returns undefined if no listed Node has the providerID of the instance.
 * @throws if a read fails: that never counts as "no Node".
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
  // A list of all Nodes for each try to complete a hook would be the heaviest load of a crowd that AWS throttles.
  if (!likely && isNodeDeleted(subject)) return undefined;
  const nodes =
    likely && isNodeReady(likely)
      ? [likely]
      : await ownNodesOf(context, await cluster.listNodes('consistent'), { instanceId });
  const [node] = nodes.toSorted(currentFirst);
  if (!node) return undefined;
  const hasTwins = nodes.length > 1;
  memory.remember(instanceId, { node, hasTwins });
  return { node, hasTwins };
}

/** Sorts several Nodes of one instance: a Ready one first, then the newest. */
function currentFirst(one: Node, other: Node): number {
  const byReady = Number(isNodeReady(other)) - Number(isNodeReady(one));
  return byReady || createdAt(other) - createdAt(one);
}

const createdAt = ({ metadata }: Node): number => Date.parse(metadata?.creationTimestamp ?? '') || 0;

/** The Node with one of its likely names. For cases in which a miss does no harm, because the sweep reads the whole list. */
export async function searchLikelyNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<Node | undefined> {
  const { instanceId, redelivered } = subject;
  const known = await searchMarkedNode(context, subject);
  if (known) return known;
  const { names, instance } = await likelyNames(context, subject);
  // With a slow API server a pass has time for three or four requests in sequence: this uses at most two.
  const rounds = redelivered ? [names] : [names.slice(0, 1), names.slice(1)];
  for (const round of rounds) {
    const nodes = await Promise.all(round.map((name) => context.cluster.getNode(name)));
    const found = nodes.filter((one) => one !== undefined);
    const [node] = (await ownNodesOf(context, found, instance)).toSorted(currentFirst);
    if (node) return remembered(context, instanceId, node);
  }
  return undefined;
}

/** The Node that is remembered, or that an earlier pass has marked. Concurrent reads by label share one request. */
export async function searchMarkedNode(
  context: LeavingContext,
  { instanceId, redelivered, begun }: LeavingSubject,
): Promise<Node | undefined> {
  const known = context.memory.recall(instanceId)?.node;
  if (known) return known;
  if (redelivered && begun?.markedNode) return await begun.markedNode;
  const marked = redelivered ? await context.cluster.getMarkedNode(instanceId) : undefined;
  const [own] = marked ? await ownNodesOf(context, [marked], { instanceId }) : [];
  return remembered(context, instanceId, own);
}

async function likelyNames(
  { ec2, memory }: LeavingContext,
  { instanceId, notices, begun }: LeavingSubject,
): Promise<{ readonly names: readonly string[]; readonly instance: NamedInstance }> {
  const noticed = notices.flatMap(({ nodeName }) => nodeName ?? []);
  if (noticed.length > 0) return { names: noticed, instance: { instanceId } };
  const described = await (begun?.ec2 ?? ec2.describeInstance(instanceId));
  if (described) memory.remember(instanceId, { ec2: described });
  const instance = { instanceId, ...described };
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

/**
 * Filters out Nodes that have the name of another instance than the one in their providerID. EC2 is read only for names that are made
 * from an address.
 *
 * @throws if EC2 cannot be read.
 */
export async function ownNodes(
  { ec2 }: Pick<LeavingContext, 'ec2'>,
  nodes: readonly Node[],
): Promise<readonly Node[]> {
  const isOwn = async (node: Node): Promise<boolean> => {
    const instanceId = instanceIdOf(node.spec?.providerID);
    if (instanceId === undefined) return false;
    const instance = isNamedByAddress(node.metadata?.name)
      ? await ec2.describeInstance(instanceId)
      : undefined;
    return isNodeOf(node, { instanceId, ...instance });
  };
  const areOwn = await Promise.all(nodes.map(isOwn));
  return nodes.filter((_, index) => areOwn[index]);
}

/** The Nodes of one instance. If EC2 does not respond, all Nodes with the providerID count: a drain does not wait for EC2. */
async function ownNodesOf(
  context: Pick<LeavingContext, 'ec2' | 'reportError'>,
  nodes: readonly Node[],
  instance: NamedInstance,
): Promise<readonly Node[]> {
  const claiming = nodes.filter((node) => isNodeOf(node, instance));
  if (instance.privateIpAddress !== undefined) return claiming;
  try {
    return await ownNodes(context, claiming);
  } catch (error) {
    context.reportError(`the names of ${instance.instanceId} could not be read from EC2`, error);
    return claiming;
  }
}
