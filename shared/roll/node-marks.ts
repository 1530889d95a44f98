import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';
import { uidOf } from '../draining/cordon.ts';
import {
  givingBackAnnotation,
  keptEmptyAnnotation,
  leavingAnnotation,
  oldNodeTaintKey,
  rollingAnnotation,
  scaleDownDisabledAnnotation,
} from '../nodes/node-keys.ts';
import { formatRollingMark, type RollingMark, readRollingMark } from '../nodes/rolling-mark.ts';

/**
 * A strategic merge patch of a Node. Its taints are replaced as a whole (`listType=atomic`), so the API server refuses the patch if the Node
 * has changed since it was read.
 */
export interface RollPatch {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly unschedulable?: true | null; readonly taints?: readonly Taint[] };
}

const asRead = (node: Node): RollPatch['metadata'] => ({
  ...uidOf(node),
  ...(node.metadata?.resourceVersion !== undefined && { resourceVersion: node.metadata.resourceVersion }),
});

const isOldTaint = ({ key }: Taint): boolean => key === oldNodeTaintKey;

const taintsOf = ({ spec }: Node): readonly Taint[] => spec?.taints ?? [];

/** The mark of a roll on a Node; undefined if it has none, or another roll's, or an unreadable one. */
export function markOf(node: Node, roll: string): RollingMark | undefined {
  const mark = readRollingMark(node.metadata?.annotations);
  return mark !== undefined && mark !== 'unreadable' && mark.roll === roll ? mark : undefined;
}

/** Whether a Node has the taint of this roll. */
export const isTainted = (node: Node, roll: string): boolean =>
  taintsOf(node).some((taint) => isOldTaint(taint) && taint.value === roll);

/** Whether this roll keeps the Node from autoscalers. */
export const isKept = ({ metadata }: Node, roll: string): boolean =>
  metadata?.annotations?.[keptEmptyAnnotation] === roll;

/** The names of the rolls whose mark or taint a Node has, or that keep it. An unreadable mark names none. */
export function rollsOf(node: Node): readonly string[] {
  const mark = readRollingMark(node.metadata?.annotations);
  const marked = mark === undefined || mark === 'unreadable' ? [] : [mark.roll];
  const kept = node.metadata?.annotations?.[keptEmptyAnnotation];
  return [
    ...new Set([
      ...marked,
      ...(kept === undefined ? [] : [kept]),
      ...taintsOf(node).flatMap((taint) => (isOldTaint(taint) ? (taint.value ?? '') : [])),
    ]),
  ];
}

/** Whether a Node has a mark that Drover does not understand, and so does not know what it had changed. */
export const hasUnreadableMark = ({ metadata }: Node): boolean =>
  readRollingMark(metadata?.annotations) === 'unreadable';

/** Removes such a mark: with it, the Node counts as leaving for ever. Whether the cordon is the roll's is not known, so it stays. */
export const unreadableMarkPatch = (node: Node): RollPatch => ({
  metadata: { ...asRead(node), annotations: { [rollingAnnotation]: null } },
});

/** Whether something is about to empty the Node: a leave, a roll or the giving back of empty nodes. */
export const isNodeLeaving = ({ metadata }: Node): boolean =>
  [leavingAnnotation, rollingAnnotation, givingBackAnnotation].some(
    (key) => metadata?.annotations?.[key] !== undefined,
  );

/** Lets the scheduler prefer other Nodes. A taint of another roll is replaced: the later roll has the Node. */
export const taintPatch = (node: Node, roll: string): RollPatch => ({
  metadata: asRead(node),
  spec: {
    taints: [
      ...taintsOf(node).filter((taint) => !isOldTaint(taint)),
      { key: oldNodeTaintKey, value: roll, effect: 'PreferNoSchedule' },
    ],
  },
});

/** Keeps an empty Node from autoscalers. */
export const keepPatch = (node: Node, roll: string): RollPatch => ({
  metadata: {
    ...asRead(node),
    annotations: { [scaleDownDisabledAnnotation]: 'true', [keptEmptyAnnotation]: roll },
  },
});

/** Cordons a Node and marks it. */
export const markPatch = (
  node: Node,
  {
    roll,
    waits,
    now,
    annotationsEndAt,
  }: {
    readonly roll: string;
    readonly waits: boolean;
    readonly now: number;
    readonly annotationsEndAt?: number;
  },
): RollPatch => ({
  metadata: {
    ...asRead(node),
    annotations: {
      [rollingAnnotation]: formatRollingMark({
        roll,
        waits,
        at: new Date(now).toISOString(),
        wasCordoned: node.spec?.unschedulable === true,
        ...(annotationsEndAt !== undefined && { annotationsUntil: new Date(annotationsEndAt).toISOString() }),
      }),
    },
  },
  spec: { unschedulable: true },
});

/** Cordons a marked Node again. */
export const cordonPatch = (node: Node): RollPatch => ({
  metadata: asRead(node),
  spec: { unschedulable: true },
});

/**
 * Removes the mark of a roll with its cordon, what keeps the Node from autoscalers, and its taint unless that stays. A Node that was cordoned before the mark stays cordoned, and
 * so does one that leaves for another reason by now.
 */
export function releasePatch(
  node: Node,
  { roll, keepsTaint }: { readonly roll: string; readonly keepsTaint: boolean },
): RollPatch {
  const mark = markOf(node, roll);
  const { annotations = {} } = node.metadata ?? {};
  const leaves =
    annotations[leavingAnnotation] !== undefined || annotations[givingBackAnnotation] !== undefined;
  const uncordons = mark !== undefined && !mark.wasCordoned && !leaves;
  const isOurs = (taint: Taint): boolean => isOldTaint(taint) && taint.value === roll;
  const spec = {
    ...(uncordons && { unschedulable: null }),
    ...(!keepsTaint && isTainted(node, roll) && { taints: taintsOf(node).filter((taint) => !isOurs(taint)) }),
  };
  const removed = {
    ...(mark && { [rollingAnnotation]: null }),
    ...(isKept(node, roll) && { [keptEmptyAnnotation]: null, [scaleDownDisabledAnnotation]: null }),
  };
  return {
    metadata: { ...asRead(node), ...(Object.keys(removed).length > 0 && { annotations: removed }) },
    ...(Object.keys(spec).length > 0 && { spec }),
  };
}
