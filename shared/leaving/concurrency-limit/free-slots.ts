/** An instance that leaves or wants to leave, and its group. */
export interface LeavingInstance {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
}

export interface AdmissionInput {
  readonly instanceId: string;
  /** Their nodes are marked: each of them occupies a slot. */
  readonly started: readonly LeavingInstance[];
  /** All instances in Terminating:Wait, started or not. */
  readonly waiting: readonly LeavingInstance[];
  readonly maxInGroup: (autoScalingGroupName: string) => number;
  readonly maxInCluster: number;
}

export type Admission =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly ahead: number;
      /** No more than the limits allow at once are ahead of it, so its turn comes as soon as these have begun. */
      readonly isNext?: boolean;
      /** When it may be admitted, where that is known. */
      readonly afterSeconds?: number;
    };

export interface FreeSlots {
  /** False: no slot is free for it. */
  take(instance: LeavingInstance): boolean;
  leftInGroup(autoScalingGroupName: string): number;
  leftInCluster(): number;
}

/** The slots that started instances leave free. */
export function freeSlots({ started, maxInGroup, maxInCluster }: AdmissionInput): FreeSlots {
  const inGroup = new Map<string, number>();
  let inCluster = 0;
  const occupy = ({ autoScalingGroupName: name }: LeavingInstance): void => {
    inGroup.set(name, (inGroup.get(name) ?? 0) + 1);
    inCluster += 1;
  };
  const leftInGroup = (name: string): number => maxInGroup(name) - (inGroup.get(name) ?? 0);
  const leftInCluster = (): number => maxInCluster - inCluster;
  for (const instance of started) occupy(instance);
  return {
    leftInGroup,
    leftInCluster,
    take: (instance) => {
      if (leftInCluster() <= 0 || leftInGroup(instance.autoScalingGroupName) <= 0) return false;
      occupy(instance);
      return true;
    },
  };
}

export const hasStarted = ({ instanceId, started }: AdmissionInput): boolean =>
  started.some((instance) => instance.instanceId === instanceId);

/** Waiting instances that have not started, in the order of their ids. */
export function notStarted({ started, waiting }: AdmissionInput): readonly LeavingInstance[] {
  const startedIds = new Set(started.map(({ instanceId }) => instanceId));
  return waiting.filter(({ instanceId }) => !startedIds.has(instanceId)).toSorted(byInstanceId);
}

/** `localeCompare` is too slow where a thousand passes sort a thousand ids; ids are plain ASCII. */
export const byInstanceId = (one: LeavingInstance, other: LeavingInstance): number =>
  one.instanceId < other.instanceId ? -1 : Number(one.instanceId > other.instanceId);
