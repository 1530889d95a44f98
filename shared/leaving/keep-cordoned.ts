import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { isAboutAnotherObject } from '../draining/cluster-failure.ts';
import { uidOf } from '../draining/cordon.ts';
import { believedMarkOf, readLeavingMark } from '../nodes/leaving-mark.ts';
import { excludeFromLoadBalancersLabel } from '../nodes/node-keys.ts';
import { identityOfNode } from '../nodes/node-names.ts';
import { readRollingMark } from '../nodes/rolling-mark.ts';
import type { LeavingContext, Marked } from './context.ts';
import { patchMark, patchNode } from './mark-and-cordon.ts';
import { recordEvent } from './notify.ts';

export interface Cordoned extends Marked {
  /** What the pass found, for the operator; undefined if the Node is still cordoned. */
  readonly note?: string;
}

/** A Node that was read or patched this recently is not read again. */
const recentMilliseconds = 2000;

/**
 * Reads a marked Node again, and restores the cordon and the exclusion from load balancers if something else has removed them: its
 * instance still leaves, so what lands on the node now is evicted moments later. A Node that cannot be read or cordoned is drained all
 * the same.
 */
export async function keepCordoned(context: LeavingContext, { node, mark }: Marked): Promise<Cordoned> {
  const readAt = context.memory.nodeReadAt(mark.instanceId) ?? -Infinity;
  const isMarked = readLeavingMark(node.metadata?.annotations) !== undefined;
  if (!isMarked || context.clock.now() - readAt < recentMilliseconds) return { node, mark };
  const current = await readAgain(context, { node, mark });
  if (current === undefined) return { node, mark };
  const facts = { now: context.clock.now(), startedAt: Date.parse(mark.since) };
  // Drover never changes these two, so another value was not written by it.
  const { since, before } = mark;
  const currentMark = { ...(believedMarkOf(current, facts) ?? mark), since, before };
  if (isCordonedByDrover(current, currentMark)) {
    context.memory.remember(mark.instanceId, { node: current });
    return { node: current, mark: currentMark };
  }
  return await cordonAgain(context, { node: current, mark: currentMark });
}

/** A node that waits for its replacement or its turn stays in its load balancers. */
const isCordonedByDrover = ({ metadata, spec }: Node, { awaiting }: Marked['mark']): boolean =>
  spec?.unschedulable === true &&
  (awaiting !== undefined || metadata?.labels?.[excludeFromLoadBalancersLabel] !== undefined);

/** The Node as it is now; undefined if it cannot be read, is gone, or is another one of the same name. */
async function readAgain(
  { cluster, reportError }: LeavingContext,
  { node, mark }: Marked,
): Promise<Node | undefined> {
  const { name, uid } = identityOfNode(node);
  try {
    // Concurrent reads by label share one request. A Node without the label is read by its name.
    const current = (await cluster.getMarkedNode(mark.instanceId)) ?? (await cluster.getNode(name));
    return current?.metadata?.uid === uid ? current : undefined;
  } catch (error) {
    reportError(`node ${name} could not be read again`, error);
    return undefined;
  }
}

/**
 * Restores the cordon of a Node that a roll has marked, while its instance waits without a mark of its own: an instance of a control plane or
 * of etcd does.
 *
 * @returns what the pass found, for the operator; undefined if there is nothing to restore.
 */
export async function keepCordonOfRoll(
  context: LeavingContext,
  { node, instanceId }: { readonly node: Node; readonly instanceId: string },
): Promise<string | undefined> {
  const isOfRoll = typeof readRollingMark(node.metadata?.annotations) === 'object';
  if (!isOfRoll || node.spec?.unschedulable === true) return undefined;
  try {
    const patch = { metadata: uidOf(node), spec: { unschedulable: true } } as const;
    return recordCordon(context, await patchNode(context, { instanceId, node, patch }), 'cordoned');
  } catch (error) {
    if (isAboutAnotherObject(error)) throw error;
    return reportUncordoned(context, node, error);
  }
}

const found = 'something else has uncordoned the node while its instance leaves';

function recordCordon(context: LeavingContext, node: Node, restored: string): string {
  const note = `${found}: it is ${restored} again`;
  recordEvent(context, node, { type: 'Warning', reason: 'NodeCordonedAgain', message: note });
  return note;
}

function reportUncordoned(context: LeavingContext, node: Node, error: unknown): string {
  context.reportError(`node ${node.metadata?.name} could not be cordoned again`, error);
  return `${found}, and it could not be cordoned again: ${messageOf(error)}`;
}

async function cordonAgain(context: LeavingContext, { node, mark }: Marked): Promise<Cordoned> {
  const restored = { ...mark, uncordonedAt: new Date(context.clock.now()).toISOString() };
  try {
    const patched = await patchMark(context, { node, mark: restored });
    const parts = mark.awaiting === undefined ? 'cordoned and excluded from load balancers' : 'cordoned';
    return { node: patched, mark: restored, note: recordCordon(context, patched, parts) };
  } catch (error) {
    if (isAboutAnotherObject(error)) throw error;
    return { node, mark, note: reportUncordoned(context, node, error) };
  }
}
