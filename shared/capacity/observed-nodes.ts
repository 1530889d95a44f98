import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type LeavingMark, readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { instanceIdOf } from '../nodes/node-names.ts';

/** What capacity needs of the cluster. Rejects if the API server does not answer as expected. */
export interface ClusterNodes {
  /** All nodes; the API server's watch cache may answer. */
  listNodes(): Promise<readonly Node[]>;
}

/** The fields of a Node that show whether its instance serves. */
export interface ObservedNode {
  readonly name: string;
  readonly providerID: string;
  /** ISO 8601 in UTC. */
  readonly createdAt?: string;
  readonly ready: boolean;
  /** Cordoned, by Drover or by something else. */
  readonly unschedulable: boolean;
  /** Drover's mark, if the Node is leaving. */
  readonly leaving?: LeavingMark;
}

/** The Nodes by their instance; or why they are unknown, which must never be read as "no nodes". */
export type ObservedNodes =
  | { readonly status: 'seen'; readonly byInstance: ReadonlyMap<string, ObservedNode> }
  | { readonly status: 'unknown'; readonly reason: string };

/** Callers of the API read this. What a server says is for the log: it may quote the request with its token. */
const unknownReason = 'the Nodes of the cluster could not be listed: the log of scale-api says why';

/**
 * Lists the Nodes. Resolves with `unknown` if the cluster does not answer, so that the groups can still be shown; `onFailure` gets the
 * error.
 */
export async function observeNodes(
  cluster: ClusterNodes,
  onFailure: (error: unknown) => void,
): Promise<ObservedNodes> {
  try {
    return { status: 'seen', byInstance: byInstance(await cluster.listNodes()) };
  } catch (error) {
    onFailure(error);
    return { status: 'unknown', reason: unknownReason };
  }
}

/** Of several Nodes with one providerID the youngest counts: an instance may have joined again under another name. */
export function byInstance(nodes: readonly Node[]): ReadonlyMap<string, ObservedNode> {
  const oldestFirst = nodes.toSorted((one, other) => createdAt(one).localeCompare(createdAt(other)));
  return new Map(
    oldestFirst.flatMap((node) => {
      const instanceId = instanceIdOf(node.spec?.providerID);
      return instanceId === undefined ? [] : [[instanceId, toObservedNode(node)] as const];
    }),
  );
}

const createdAt = (node: Node): string => node.metadata?.creationTimestamp ?? '';

function toObservedNode(node: Node): ObservedNode {
  const leaving = readLeavingMark(node.metadata?.annotations);
  const createdAt = node.metadata?.creationTimestamp;
  return {
    name: node.metadata?.name ?? '',
    providerID: node.spec?.providerID ?? '',
    ...(createdAt && { createdAt }),
    ready: isNodeReady(node),
    unschedulable: node.spec?.unschedulable ?? false,
    leaving,
  };
}
