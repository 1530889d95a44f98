import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';
import { formatLeavingMark, type LeavingMark, readLeavingMark } from '../nodes/leaving-mark.ts';
import { excludeFromLoadBalancersLabel, leavingAnnotation, leavingLabel } from '../nodes/node-keys.ts';

/** A strategic merge patch of a Node. With the UID, the API server refuses it for another Node of that name. */
export interface NodePatch {
  readonly metadata: {
    readonly uid?: string;
    /** With it, the API server refuses the patch if the Node has changed since. */
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly unschedulable?: true | null; readonly taints?: readonly Taint[] };
}

/** The parts of a cordon that the Node had before Drover marked it. */
export function stateBefore(node: Node): LeavingMark['before'] {
  const marked = readLeavingMark(node.metadata?.annotations);
  return (
    marked?.before ?? {
      unschedulable: node.spec?.unschedulable === true,
      excludedFromLoadBalancers: node.metadata?.labels?.[excludeFromLoadBalancersLabel] !== undefined,
    }
  );
}

/**
 * Cordon, exclusion from load balancers and mark in one patch; undefined if the Node already has all of it. A label that is already
 * set keeps its value. A node that waits for its replacement serves until its drain begins, so it stays in its load balancers.
 */
export function cordonPatch(node: Node, mark: LeavingMark): NodePatch | undefined {
  const labels = {
    ...(mark.awaiting === undefined && missingLabel(node, excludeFromLoadBalancersLabel, 'true')),
    ...missingLabel(node, leavingLabel, mark.instanceId),
  };
  const value = formatLeavingMark(mark);
  const isMarked = node.metadata?.annotations?.[leavingAnnotation] === value;
  const isCordoned = node.spec?.unschedulable === true;
  const isLabelled = Object.keys(labels).length === 0;
  if (isMarked && isCordoned && isLabelled) return undefined;
  return {
    metadata: {
      ...uidOf(node),
      ...(!isLabelled && { labels }),
      ...(!isMarked && { annotations: { [leavingAnnotation]: value } }),
    },
    ...(!isCordoned && { spec: { unschedulable: true } }),
  };
}

/** Only the mark: a cordon that something else has removed stays removed. */
export const markPatch = (node: Node, mark: LeavingMark): NodePatch => ({
  metadata: { ...uidOf(node), annotations: { [leavingAnnotation]: formatLeavingMark(mark) } },
});

const missingLabel = (node: Node, key: string, value: string): Readonly<Record<string, string>> =>
  node.metadata?.labels?.[key] === undefined ? { [key]: value } : {};

/** Removes what Drover put on the Node, according to its mark, and the mark; undefined for a Node without a mark. */
export function uncordonPatch(node: Node): NodePatch | undefined {
  const mark = readLeavingMark(node.metadata?.annotations);
  if (mark === undefined) return undefined;
  const { unschedulable, excludedFromLoadBalancers } = mark.before;
  return {
    metadata: {
      ...uidOf(node),
      labels: {
        [leavingLabel]: null,
        ...(!excludedFromLoadBalancers && { [excludeFromLoadBalancersLabel]: null }),
      },
      annotations: { [leavingAnnotation]: null },
    },
    ...(!unschedulable && { spec: { unschedulable: null } }),
  };
}

/** The precondition that the Node is still the same object. */
export const uidOf = (node: Node): { readonly uid?: string } =>
  node.metadata?.uid === undefined ? {} : { uid: node.metadata.uid };
