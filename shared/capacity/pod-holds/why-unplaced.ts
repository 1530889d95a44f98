import type { GroupSize } from '../plan/group-size.ts';
import { reasonsMessage } from '../plan/reasons.ts';
import type { GroupRefusal, Refusals } from '../plan/refusals.ts';

/** Pods that have no place even on further nodes of their group. */
export interface Unplaced {
  readonly shapes: ReadonlySet<string>;
  readonly size: Pick<GroupSize, 'refusals'>;
  readonly autoScalingGroupName: string;
  readonly maxSize: number;
  /** Why nothing is known of the next node of the group; undefined if it is known. */
  readonly whyNoTemplate: string | undefined;
}

/** Why these pods have no place, each reason once, with what helps. */
export function whyUnplaced(unplaced: Unplaced): readonly string[] {
  const { shapes, size } = unplaced;
  const reasons = [...size.refusals]
    .filter(([shape]) => shapes.has(shape))
    .map(([, refusals]) => reasonOf(refusals, unplaced));
  return reasons.length === 0 ? whyOthersCame(unplaced) : [...new Set(reasons)];
}

/** In some order other pods took the room, and MaxSize allows no more of it. */
function whyOthersCame({ size, autoScalingGroupName, maxSize }: Unplaced): readonly string[] {
  const refusals = [...size.refusals.values()].map(({ groups }) => groups.get(autoScalingGroupName));
  const atBounds = refusals.find((refusal) => refusal?.kind === 'at-bounds');
  return [
    ...(atBounds === undefined ? [] : [refusalText(atBounds, maxSize)]),
    'other pods that are held for need the room',
  ];
}

function reasonOf(
  { nodes, reasons, groups }: Refusals,
  { autoScalingGroupName, maxSize, whyNoTemplate }: Unplaced,
): string {
  if (whyNoTemplate !== undefined)
    return `the next node of the group is not known, so none is asked for: ${whyNoTemplate}`;
  const refusal = groups.get(autoScalingGroupName);
  return refusal === undefined ? reasonsMessage(nodes, reasons) : refusalText(refusal, maxSize);
}

function refusalText(refusal: GroupRefusal, maxSize: number): string {
  switch (refusal.kind) {
    case 'at-bounds':
      return `MaxSize is ${maxSize}: raise it, or let the hold raise it`;
    case 'no-zone-promised':
      return 'Auto Scaling chooses the zone of a new node, and these pods need one zone: make a group for each zone';
    case 'refuses':
      return `no new node of the group takes them: ${refusal.reasons.join(', ')}`;
  }
}
