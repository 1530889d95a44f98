import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type LeavingMark, readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { instanceIdOf, nameOfNode } from '../nodes/node-names.ts';

/** Lists the Nodes of the cluster. Rejects if the API server does not respond as expected. */
export interface ClusterNodes {
  /** All nodes. The response may come from the API server's watch cache. */
  listNodes(): Promise<readonly Node[]>;
}

/** The fields of a Node that show whether its instance serves. */
export interface ObservedNode {
  readonly name: string;
  readonly providerID: string;
  /** ISO 8601 in UTC. */
  readonly createdAt?: string;
  readonly ready: boolean;
  /** Cordoned by Drover or by something else. */
  readonly unschedulable: boolean;
  /** Drover's mark if the Node is leaving. */
  readonly leaving?: LeavingMark;
}

/** The Nodes by instance ID, or the reason why they are unknown. Unknown must never be treated as "no nodes". */
export type ObservedNodes =
  | { readonly status: 'seen'; readonly byInstance: ReadonlyMap<string, ObservedNode> }
  | { readonly status: 'unknown'; readonly reason: string };

/** For callers of the API. The error of the server is only logged: it may quote the request with its token. */
export const whyNodesAreUnknown = (functionName: string): string =>
  `the Nodes of the cluster could not be listed: the log of ${functionName} says why`;

/**
 * Lists the Nodes. Resolves with `unknown` if the API server does not respond, so that the groups can still be shown; `onFailure` receives
 * the error. `functionName` is the function whose log has it.
 */
export async function observeNodes(
  cluster: ClusterNodes,
  onFailure: (error: unknown) => void,
  functionName = 'scale-api',
): Promise<ObservedNodes> {
  try {
    return { status: 'seen', byInstance: byInstance(await cluster.listNodes()) };
  } catch (error) {
    onFailure(error);
    return { status: 'unknown', reason: whyNodesAreUnknown(functionName) };
  }
}

/** If several Nodes have one providerID, the newest counts: the instance may have joined again under another name. */
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
    name: nameOfNode(node),
    providerID: node.spec?.providerID ?? '',
    ...(createdAt && { createdAt }),
    ready: isNodeReady(node),
    unschedulable: node.spec?.unschedulable ?? false,
    leaving,
  };
}
