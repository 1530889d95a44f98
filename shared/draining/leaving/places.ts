/** An instance that leaves or wants to, and its group. */
export interface Leaver {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
}

export interface TurnInput {
  readonly instanceId: string;
  /** Their nodes carry our mark: they have begun. */
  readonly begun: readonly Leaver[];
  /** All that wait in Terminating:Wait, begun or not. */
  readonly waiting: readonly Leaver[];
  readonly maxInGroup: (autoScalingGroupName: string) => number;
  readonly maxInCluster: number;
}

export type Turn =
  | { readonly mayLeave: true }
  | {
      readonly mayLeave: false;
      readonly ahead: number;
      /** When it may come, where that is known. */
      readonly afterSeconds?: number;
    };

export interface Places {
  /** False: there is none for it. */
  take(leaver: Leaver): boolean;
  leftInGroup(autoScalingGroupName: string): number;
  leftInCluster(): number;
}

/** The places that those who have begun have left. */
export function placesOf({ begun, maxInGroup, maxInCluster }: TurnInput): Places {
  const inGroup = new Map<string, number>();
  let inCluster = 0;
  const put = ({ autoScalingGroupName: name }: Leaver): void => {
    inGroup.set(name, (inGroup.get(name) ?? 0) + 1);
    inCluster += 1;
  };
  const leftInGroup = (name: string): number => maxInGroup(name) - (inGroup.get(name) ?? 0);
  const leftInCluster = (): number => maxInCluster - inCluster;
  for (const leaver of begun) put(leaver);
  return {
    leftInGroup,
    leftInCluster,
    take: (leaver) => {
      if (leftInCluster() <= 0 || leftInGroup(leaver.autoScalingGroupName) <= 0) return false;
      put(leaver);
      return true;
    },
  };
}

export const hasBegun = ({ instanceId, begun }: TurnInput): boolean =>
  begun.some((leaver) => leaver.instanceId === instanceId);

/** Those that wait and have not begun, in their order. */
export function queueOf({ begun, waiting }: TurnInput): readonly Leaver[] {
  const begunIds = new Set(begun.map((leaver) => leaver.instanceId));
  return waiting.filter((leaver) => !begunIds.has(leaver.instanceId)).toSorted(byInstanceId);
}

/** Ids are plain ASCII; a thousand passes sort a thousand of them, for which a locale's order is too dear. */
export const byInstanceId = (one: Leaver, other: Leaver): number =>
  one.instanceId < other.instanceId ? -1 : Number(one.instanceId > other.instanceId);
