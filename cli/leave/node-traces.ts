import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type NodePatch, uidOf, uncordonPatch } from '../../shared/draining/cordon.ts';
import { missingAnnotation } from '../../shared/joining/namesake.ts';
import {
  certificatesAnnotation,
  givingBackAnnotation,
  leavingAnnotation,
  leavingLabel,
} from '../../shared/nodes/node-keys.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';

/** What Drover has left on a Node, and the patch that removes it. */
export interface NodeTraces {
  readonly name: string;
  readonly keys: readonly string[];
  readonly patch: NodePatch;
  readonly uncordons: boolean;
  /** The Node has a mark that cannot be read: nothing shows whether Drover cordoned it. */
  readonly keepsCordon: boolean;
}

const annotationKeys = [
  leavingAnnotation,
  givingBackAnnotation,
  missingAnnotation,
  certificatesAnnotation,
] as const;

/**
 * The traces of Drover on a Node; undefined if there are none. A cordon is removed only if a mark shows that Drover made it: one of an
 * operator stays. Labels and taints of the tags of its group stay, because the pods of the group need them. Pure.
 */
export function nodeTracesOf(node: Node): NodeTraces | undefined {
  const { annotations = {}, labels = {} } = node.metadata ?? {};
  const found = annotationKeys.filter((key) => annotations[key] !== undefined);
  const isLabelled = labels[leavingLabel] !== undefined;
  if (found.length === 0 && !isLabelled) return undefined;
  const unmarked = uncordonPatch(node);
  const isMarked = annotations[leavingAnnotation] !== undefined;
  // A cordon for a node that was about to be given back is Drover's own: it is made only on nodes that take pods.
  const isReserved = annotations[givingBackAnnotation] !== undefined && !isMarked;
  const uncordons = node.spec?.unschedulable === true && (unmarked?.spec !== undefined || isReserved);
  return {
    name: nameOfNode(node),
    keys: [...new Set<string>([...found, ...(isLabelled ? [leavingLabel] : [])])],
    patch: {
      metadata: {
        ...uidOf(node),
        labels: { ...unmarked?.metadata.labels, ...(isLabelled && { [leavingLabel]: null }) },
        annotations: Object.fromEntries(found.map((key) => [key, null])),
      },
      ...(uncordons && { spec: { unschedulable: null } }),
    },
    uncordons,
    keepsCordon: node.spec?.unschedulable === true && isMarked && unmarked === undefined,
  };
}

/** The exemption that `drover adopt --exempt` has recorded on a Node; undefined if there is none. Its other marks stay. Pure. */
export function exemptionOf(node: Node): NodeTraces | undefined {
  if (node.metadata?.annotations?.[certificatesAnnotation] === undefined) return undefined;
  return {
    name: nameOfNode(node),
    keys: [certificatesAnnotation],
    patch: { metadata: { ...uidOf(node), labels: {}, annotations: { [certificatesAnnotation]: null } } },
    uncordons: false,
    keepsCordon: false,
  };
}
