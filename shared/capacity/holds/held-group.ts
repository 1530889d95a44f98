import type { AutoScalingGroup } from '../../groups/group.ts';
import { phaseOf } from '../members.ts';
import { activeHolds } from './bounds.ts';
import type { GroupHolds } from './floor-record.ts';
import { scheduleOf } from './hold.ts';
import { askedNodes, inServiceIn } from './unmet.ts';

/** What a scan saw of a group with active holds, for its log line: `drover report` adds these up to node-hours and kept holds. */
export interface HeldGroup {
  readonly group: string;
  /** MinSize without holds. */
  readonly base: number;
  /** The nodes that the holds ask for together. */
  readonly asked: number;
  readonly maxSize: number;
  /** The instances that launch or are in service: what leaves is not there for a hold. */
  readonly instances: number;
  /** How many of these instances serve. */
  readonly inService: number;
  /** Sizes are units of weight instead of instances. */
  readonly countsUnits?: true;
  readonly holds: readonly HeldNodes[];
}

interface HeldNodes {
  readonly name: string;
  readonly nodes: number;
  readonly schedule?: string;
}

/** Bounds the log line, which is written each minute. */
const mostHolds = 20;

const isThere = (lifecycleState: string): boolean =>
  ['pending', 'in-service'].includes(phaseOf(lifecycleState));

/** Undefined if no hold is active. Pure. */
export function heldGroupOf(group: AutoScalingGroup, known: GroupHolds, now: number): HeldGroup | undefined {
  const active = activeHolds(known.holds, now);
  if (active.length === 0) return undefined;
  const { record } = known;
  return {
    group: group.autoScalingGroupName,
    base: record.kind === 'record' ? record.record.minSize.base : group.minSize,
    asked: askedNodes(known, now),
    maxSize: group.maxSize,
    instances: group.instances.filter(({ lifecycleState }) => isThere(lifecycleState)).length,
    inService: inServiceIn(group),
    ...(group.countsUnits && { countsUnits: true }),
    holds: active.slice(0, mostHolds).map((hold) => {
      const schedule = scheduleOf(hold);
      return { name: hold.name, nodes: hold.nodes, ...(schedule !== undefined && { schedule }) };
    }),
  };
}
