import type { TimerClock } from '../../base/clock.ts';
import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import type { PodsOfGroup } from '../pod-holds/plan-pods.ts';
import { type PodsRead, type PodsReader, readPods } from '../pod-holds/read-pods.ts';
import type { GroupHolds } from './floor-record.ts';
import { activePodHolds, podsIn } from './pod-floor.ts';

/** The read must leave time for the passes that follow it, and for the reasons of nodes that are missing. */
const readMilliseconds = 9000;
const readEndMilliseconds = 14_000;

interface PodsScan {
  readonly known: ReadonlyMap<string, GroupHolds>;
  /** All groups with the tag of the cluster. */
  readonly groups: readonly AutoScalingGroup[];
  readonly clusterName: string;
  readonly maxSizeLimit: number;
  readonly reader: PodsReader | undefined;
  readonly clock: TimerClock;
  /** When the scan began, in epoch milliseconds. */
  readonly startedAt: number;
}

/** The groups whose active holds ask for pods. Groups that count units, and those of etcd, have no holds. */
export function groupsWithPods(
  managed: ReadonlyMap<string, AutoScalingGroup>,
  known: ReadonlyMap<string, GroupHolds>,
  now: number,
): readonly PodsOfGroup[] {
  return [...known].flatMap(([name, { holds, record }]) => {
    const group = managed.get(name);
    if (group === undefined || roleOf(group) === 'etcd' || whyUnits(group) !== undefined) return [];
    const asking = activePodHolds(holds, now);
    if (asking.length === 0) return [];
    return [{ group, holds: asking, remembered: podsIn(record) }];
  });
}

/** Reads the pods for these groups, once for all of them; nothing is read if there are none. It never rejects. */
export async function scanPods(asked: readonly PodsOfGroup[], scan: PodsScan): Promise<PodsRead> {
  if (asked.length === 0) return { readings: new Map(), warnings: [] };
  const { reader, groups, clusterName, maxSizeLimit, clock, startedAt } = scan;
  const left = startedAt + readEndMilliseconds - clock.now();
  return await readPods(reader, {
    asked,
    groups,
    clusterName,
    maxSizeLimit,
    clock,
    milliseconds: Math.max(1000, Math.min(readMilliseconds, left)),
  });
}
