import { podsAfter } from '../pod-holds/known-pods.ts';
import { type PodsReading, type PodsRecord, verdictAbout } from '../pod-holds/pods-reading.ts';
import { activeHolds } from './bounds.ts';
import type { FloorReading, GroupHolds } from './floor-record.ts';
import type { Hold, HoldReading } from './hold.ts';

/** A hold that asks for pods. */
export type PodHold = Hold & { readonly pods: NonNullable<Hold['pods']> };

export const isForPods = (hold: Hold): hold is PodHold => hold.pods !== undefined;

/** The active holds for pods that can be read. */
export const activePodHolds = (holds: readonly HoldReading[], now: number): readonly PodHold[] =>
  activeHolds(holds, now).filter(isForPods);

/**
 * The holds and the record of a group together with what a read at the pods found: each active hold for pods asks for the nodes that all of them need
 * together, so that everything after this treats it as a hold of nodes. A pass that does not bring the newest read, such as that of a message which was delivered
 * again, only raises: if it lowered MinSize, the pass with the newest read, seconds later, could not know that value. Pure.
 */
export function knowPods<Known extends GroupHolds>(
  known: Known,
  { reading, now }: { readonly reading?: PodsReading | undefined; readonly now: number },
): Known & { readonly pods?: PodsRecord; readonly raisesOnly?: boolean } {
  if (activePodHolds(known.holds, now).length === 0) return known;
  const pods = podsAfter(podsIn(known.record), reading, now);
  const raisesOnly = reading?.kind !== 'read' || reading.readAt !== pods.readAt;
  return { ...known, holds: withNodes(known.holds, pods), pods, raisesOnly };
}

/** Each hold for pods asks for the nodes that all of them need together. */
const withNodes = (holds: readonly HoldReading[], { nodes }: PodsRecord): readonly HoldReading[] =>
  holds.map((one) =>
    one.kind === 'hold' && isForPods(one.hold) ? { ...one, hold: { ...one.hold, nodes } } : one,
  );

/** The same with what the record remembers. */
export const withRememberedNodes = (
  holds: readonly HoldReading[],
  record: FloorReading,
): readonly HoldReading[] => withNodes(holds, podsIn(record) ?? { nodes: 0, holds: {} });

/** What the record of a floor remembers of pods. */
export const podsIn = (record: FloorReading | undefined): PodsRecord | undefined =>
  record?.kind === 'record' ? record.record.pods : undefined;

/** The active holds of Jobs whose pods were all bound at the last read. A hold that was made after that read has another reading to wait for. */
export function arrivedHolds({
  holds,
  pods,
  now,
}: {
  readonly holds: readonly HoldReading[];
  readonly pods?: PodsRecord | undefined;
  readonly now: number;
}): readonly string[] {
  const { readAt } = pods ?? {};
  if (pods === undefined || readAt === undefined) return [];
  return activePodHolds(holds, now)
    .filter(({ name, pods: { endsOnceBound, total }, createdAt = 0 }) => {
      const verdict = verdictAbout(pods.holds, name);
      return endsOnceBound === true && verdict?.open === 0 && verdict.total === total && createdAt < readAt;
    })
    .map(({ name }) => name);
}
