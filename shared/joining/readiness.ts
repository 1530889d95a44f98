import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { believedMarkOf, hasReturned } from '../nodes/leaving-mark.ts';
import { isNodeReady, readyConditionOf } from '../nodes/node-condition.ts';

/** What an instance waits for before it may serve. */
type WaitsFor = 'node' | 'ready' | 'labels' | 'taints' | 'daemonsets' | 'pool';

/** Whether an instance may serve, and if not, why. */
export type Readiness =
  | { readonly kind: 'ready'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly waitsFor: WaitsFor; readonly reason: string };

export const waitingFor = (waitsFor: WaitsFor, reason: string): Readiness => ({
  kind: 'waiting',
  waitsFor,
  reason,
});

/** The clocks of EC2 and of an instance that has just booted differ by less than this. */
export const clockSkewMilliseconds = 10_000;

interface NodeFacts {
  readonly now: number;
  /** When the instance was last started, in epoch milliseconds; absent if EC2 does not report it. */
  readonly launchedAt?: number | undefined;
}

/**
 * Whether the Node of an instance is Ready and has reported so since the instance was last started. After an instance is stopped, its
 * Node keeps the old conditions until the node controller notices.
 */
export function nodeReadiness(node: Node, { now, launchedAt = -Infinity }: NodeFacts): Readiness {
  const { name, creationTimestamp, deletionTimestamp } = node.metadata ?? {};
  const ready = readyConditionOf(node);
  if (deletionTimestamp !== undefined) return waitingFor('node', `node ${name} is being deleted`);
  if (!isNodeReady(node))
    return waitingFor('ready', `node ${name} is not Ready${ready?.message ? `: ${ready.message}` : ''}`);
  const reportedAt = Math.max(timeOf(creationTimestamp), timeOf(ready?.lastHeartbeatTime));
  if (reportedAt < launchedAt - clockSkewMilliseconds)
    return waitingFor('ready', `node ${name} was last Ready before its instance was started`);
  const mark = believedMarkOf(node, { now });
  if (mark?.bootBefore !== undefined && !hasReturned(node, mark, now))
    return waitingFor('ready', `node ${name} has not booted from its new root volume yet`);
  return { kind: 'ready', reason: `node ${name} is Ready` };
}

const timeOf = (timestamp: string | undefined): number => Date.parse(timestamp ?? '') || -Infinity;

/** Which of these DaemonSets (`namespace/name`) have no Ready pod among the pods of a node. */
export const withoutReadyPod = (daemonSets: readonly string[], pods: readonly Pod[]): readonly string[] => {
  const ready = new Set(pods.filter(isReady).flatMap(daemonSetOf));
  return daemonSets.filter((name) => !ready.has(name));
};

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;

const daemonSetOf = ({ metadata }: Pod): readonly string[] =>
  (metadata?.ownerReferences ?? [])
    .filter(({ kind, controller }) => kind === 'DaemonSet' && controller === true)
    .map(({ name }) => `${metadata?.namespace}/${name}`);
