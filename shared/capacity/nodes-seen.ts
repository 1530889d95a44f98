import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { messageOf } from '../base/message-of.ts';
import { type LeavingMark, readLeavingMark } from '../draining/leaving-mark.ts';
import { isNodeReady } from '../draining/node-condition.ts';
import { instanceIdOf } from '../draining/node-names.ts';
import type { ClusterNodes } from './cluster-nodes.ts';

/** A Node, as far as it tells whether its instance serves. */
export interface SeenNode {
  readonly name: string;
  readonly providerID: string;
  readonly ready: boolean;
  /** Cordoned, by whomever. */
  readonly unschedulable: boolean;
  /** Drover's mark, where the node leaves. */
  readonly leaving?: LeavingMark;
}

/** The nodes by the instance behind them; or why nobody can tell, which must never be read as "no nodes". */
export type NodesSeen =
  | { readonly status: 'seen'; readonly byInstance: ReadonlyMap<string, SeenNode> }
  | { readonly status: 'unknown'; readonly reason: string };

/** Asks the cluster. A cluster that does not answer is an answer here too: the groups are still worth showing. */
export async function seeNodes(cluster: ClusterNodes): Promise<NodesSeen> {
  try {
    return { status: 'seen', byInstance: byInstance(await cluster.listNodes()) };
  } catch (error) {
    return { status: 'unknown', reason: `the cluster did not say which nodes it has: ${messageOf(error)}` };
  }
}

/** Of several Nodes with one providerID, which a machine that joined again under another name leaves, the youngest counts. */
export function byInstance(nodes: readonly Node[]): ReadonlyMap<string, SeenNode> {
  const oldestFirst = nodes.toSorted((one, other) => createdAt(one).localeCompare(createdAt(other)));
  return new Map(
    oldestFirst.flatMap((node) => {
      const instanceId = instanceIdOf(node.spec?.providerID);
      return instanceId === undefined ? [] : [[instanceId, toSeenNode(node)] as const];
    }),
  );
}

const createdAt = (node: Node): string => node.metadata?.creationTimestamp ?? '';

function toSeenNode(node: Node): SeenNode {
  const leaving = readLeavingMark(node.metadata?.annotations);
  return {
    name: node.metadata?.name ?? '',
    providerID: node.spec?.providerID ?? '',
    ready: isNodeReady(node),
    unschedulable: node.spec?.unschedulable ?? false,
    ...(leaving && { leaving }),
  };
}
