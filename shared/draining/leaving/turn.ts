/** An instance that leaves or wants to, and its group. */
export interface Leaver {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
}

export interface TurnInput {
  readonly instanceId: string;
  /** Their nodes carry our mark: they have begun. */
  readonly begun: readonly Leaver[];
  /** All that wait in Terminating:Wait, begun or not, and the one that asks. */
  readonly waiting: readonly Leaver[];
  readonly maxInGroup: (autoScalingGroupName: string) => number;
  readonly maxInCluster: number;
}

export type Turn = { readonly mayLeave: true } | { readonly mayLeave: false; readonly ahead: number };

/**
 * Whose turn it is, decided by everyone alike from what everyone sees, so that no counter is shared: places are given in
 * the order of instance ids to those that wait and have not begun. Those that have begun keep theirs.
 */
export function turnOf(input: TurnInput): Turn {
  const begunIds = new Set(input.begun.map((leaver) => leaver.instanceId));
  if (begunIds.has(input.instanceId)) return { mayLeave: true };
  const inGroup = new Map<string, number>();
  let inCluster = 0;
  const take = (leaver: Leaver): void => {
    inGroup.set(leaver.autoScalingGroupName, (inGroup.get(leaver.autoScalingGroupName) ?? 0) + 1);
    inCluster += 1;
  };
  const hasPlace = (leaver: Leaver): boolean =>
    inCluster < input.maxInCluster &&
    (inGroup.get(leaver.autoScalingGroupName) ?? 0) < input.maxInGroup(leaver.autoScalingGroupName);

  for (const leaver of input.begun) take(leaver);
  const queue = input.waiting.filter((leaver) => !begunIds.has(leaver.instanceId)).toSorted(byInstanceId);
  let ahead = 0;
  for (const leaver of queue) {
    const place = hasPlace(leaver);
    if (leaver.instanceId === input.instanceId)
      return place ? { mayLeave: true } : { mayLeave: false, ahead };
    if (place) take(leaver);
    else ahead += 1;
  }
  return { mayLeave: true };
}

/** Ids are plain ASCII; a thousand passes sort a thousand of them, for which a locale's order is too dear. */
const byInstanceId = (one: Leaver, other: Leaver): number =>
  one.instanceId < other.instanceId ? -1 : Number(one.instanceId > other.instanceId);
