import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { hasReturned } from '../leaving/returned-node.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady, readyConditionOf } from '../nodes/node-condition.ts';

/** What an instance waits for before it may serve. */
export type WaitsFor = 'node' | 'ready' | 'labels' | 'taints' | 'daemonsets' | 'pool';

/** Whether an instance may serve, and if not, why. */
export type Readiness =
  | { readonly kind: 'ready'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly waitsFor: WaitsFor; readonly reason: string };

export const waitingFor = (waitsFor: WaitsFor, reason: string): Readiness => ({
  kind: 'waiting',
  waitsFor,
  reason,
});

/** The clocks of EC2 and of an instance that has just booted differ by less. */
export const clockSkewMilliseconds = 10_000;

interface NodeFacts {
  readonly now: number;
  /** Epoch milliseconds of the instance's last start; absent: EC2 does not say. */
  readonly launchedAt?: number | undefined;
}

/**
 * Whether the Node of an instance is Ready, and has been since the instance was last started. Pure. The Node of an instance that was
 * stopped keeps what its kubelet said before, until the node controller notices.
 */
export function nodeReadiness(node: Node, { now, launchedAt = -Infinity }: NodeFacts): Readiness {
  const { name, creationTimestamp, deletionTimestamp, annotations } = node.metadata ?? {};
  const ready = readyConditionOf(node);
  if (deletionTimestamp !== undefined) return waitingFor('node', `node ${name} is being deleted`);
  if (!isNodeReady(node))
    return waitingFor('ready', `node ${name} is not Ready${ready?.message ? `: ${ready.message}` : ''}`);
  const reportedAt = Math.max(timeOf(creationTimestamp), timeOf(ready?.lastHeartbeatTime));
  if (reportedAt < launchedAt - clockSkewMilliseconds)
    return waitingFor('ready', `node ${name} was last Ready before its instance was started`);
  const mark = readLeavingMark(annotations);
  if (mark?.bootBefore !== undefined && !hasReturned(node, mark, now))
    return waitingFor('ready', `node ${name} has not booted from its new root volume yet`);
  return { kind: 'ready', reason: `node ${name} is Ready` };
}

const timeOf = (timestamp: string | undefined): number => Date.parse(timestamp ?? '') || -Infinity;
