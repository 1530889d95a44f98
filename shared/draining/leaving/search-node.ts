import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdOf, likelyNodeNames } from '../node-names.ts';
import type { LeavingContext, LeavingSubject } from './context.ts';

/**
 * Finds the Node of an instance. A Node counts only by its providerID: its name may be the private DNS name, the instance
 * id or anything else. The likely names are tried first, then the list of all nodes.
 *
 * @returns undefined when no listed node has the instance's providerID.
 * @throws where a look-up fails: that never counts as "no Node".
 */
export async function searchNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<Node | undefined> {
  const { instanceId } = subject;
  if (context.memory.recall(instanceId)?.nodeDeleted) return undefined;
  const likely = await searchLikelyNode(context, subject);
  if (likely) return likely;
  const nodes = await context.cluster.listNodes();
  return remembered(
    context,
    instanceId,
    nodes.find((node) => belongsTo(node, instanceId)),
  );
}

/** The Node under one of its likely names: for cases where a miss does no harm, because the sweep reads the whole list. */
export async function searchLikelyNode(
  context: LeavingContext,
  subject: LeavingSubject,
): Promise<Node | undefined> {
  const { instanceId, redelivered } = subject;
  const known = await searchMarkedNode(context, subject);
  if (known) return known;
  const names = await likelyNames(context, subject);
  // On a slow API server a pass has time for three or four answers, one after another: at most two are spent here.
  const rounds = redelivered ? [names] : [names.slice(0, 1), names.slice(1)];
  for (const round of rounds) {
    const nodes = await Promise.all(round.map((name) => context.cluster.getNode(name)));
    const node = nodes.find((one) => one && belongsTo(one, instanceId));
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
  return marked && belongsTo(marked, instanceId) ? remembered(context, instanceId, marked) : undefined;
}

async function likelyNames(
  { ec2 }: LeavingContext,
  { instanceId, notices }: LeavingSubject,
): Promise<readonly string[]> {
  const told = notices.flatMap(({ nodeName }) => nodeName ?? []);
  return told.length > 0
    ? told
    : likelyNodeNames({ instanceId, ...(await ec2.describeInstance(instanceId)) });
}

function remembered(
  { memory }: LeavingContext,
  instanceId: string,
  node: Node | undefined,
): Node | undefined {
  if (node) memory.remember(instanceId, { node });
  return node;
}

const belongsTo = (node: Node, instanceId: string): boolean =>
  instanceIdOf(node.spec?.providerID) === instanceId;
