import type { TimerClock } from '../../base/clock.ts';
import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import { type PlansSilence, planGroups } from '../pod-holds/plan-groups.ts';
import type { PodsOfGroup } from '../pod-holds/plan-pods.ts';
import type { PodsReading } from '../pod-holds/pods-reading.ts';
import { type PodsReader, readPods } from '../pod-holds/read-pods.ts';
import type { GroupHolds } from './floor-record.ts';
import { activePodHolds, podsIn } from './pod-floor.ts';

/** The read and the plans must leave time for the passes that follow them, and for the reasons of nodes that are missing. */
const readMilliseconds = 9000;
const planMilliseconds = 5000;
const endMilliseconds = 14_000;

interface PodsScan {
  /** All groups with the tag of the cluster. */
  readonly groups: readonly AutoScalingGroup[];
  readonly clusterName: string;
  readonly maxSizeLimit: number;
  readonly reader: PodsReader | undefined;
  readonly clock: TimerClock;
  /** When the scan began, in epoch milliseconds. */
  readonly startedAt: number;
  /** Kept between scans. */
  readonly silence: PlansSilence;
}

/** What a scan found of the pods of holds. */
interface ScannedPods {
  /** By the name of the group. */
  readonly readings: ReadonlyMap<string, PodsReading>;
  /** What is not known, each with its consequence. */
  readonly warnings: readonly string[];
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

/**
 * Reads the pods for these groups, once for all of them; nothing is read if there are none. The read runs beside other work, and never rejects.
 *
 * @returns the plans, which run when they are asked for: nothing else runs meanwhile, so that messages that need no plan are sent before.
 */
export async function scanPods(asked: readonly PodsOfGroup[], scan: PodsScan): Promise<() => ScannedPods> {
  if (asked.length === 0) return () => ({ readings: new Map(), warnings: [] });
  const { reader, groups, clusterName, maxSizeLimit, clock, startedAt, silence } = scan;
  const endsAt = startedAt + endMilliseconds;
  const milliseconds = Math.max(1000, Math.min(readMilliseconds, endsAt - clock.now()));
  const growing = new Set(asked.map(({ group }) => group.autoScalingGroupName));
  const read = await readPods(reader, { groups, growing, clusterName, clock, milliseconds });
  return () => ({
    readings: planGroups(read, {
      asked,
      maxSizeLimit,
      inTime: { clock, eachMilliseconds: planMilliseconds, endsAt, silence },
    }),
    warnings: read.kind === 'read' ? read.input.warnings : [],
  });
}
