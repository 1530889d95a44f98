import { type AutoScalingGroup, isSuspended } from '../../groups/group.ts';
import { pauseOf } from '../../passes/pause.ts';
import { phaseOf } from '../members.ts';
import { activeHolds } from './bounds.ts';
import type { FloorReading, FloorRecord, GroupHolds, Lack } from './floor-record.ts';

/** cluster-autoscaler gives a node 15 minutes, and a join may take twelve (docs/joining.md). */
const metWithinSeconds = 900;

/** A group that has lacked nodes of its holds for as long as a launch takes. */
export interface Unmet {
  readonly asked: number;
  readonly inService: number;
  /** The begin of the lack, in epoch milliseconds: the same in each pass that sees it. */
  readonly since: number;
  readonly launchIsSuspended?: true;
  /** Drover is paused for the group, so it raises neither MinSize nor MaxSize. */
  readonly isPaused?: true;
}

/**
 * Undefined if the holds of a group have their nodes, or have lacked them for less time than a launch takes. After a notification it counts as
 * the same lack until all nodes are in service, also if other holds ask for more or less meanwhile. Pure.
 */
export function unmetOf(group: AutoScalingGroup, known: GroupHolds, now: number): Unmet | undefined {
  const oldest = lacksOf(group, known, now)[0];
  if (oldest === undefined) return undefined;
  const isTold = known.record.kind === 'record' && known.record.record.unmet === true;
  // A time that is far ahead was written with a wrong clock, and would hide the lack until then.
  if (!isTold && Math.abs(now - oldest.since) < metWithinSeconds * 1000) return undefined;
  return {
    asked: askedNodes(known, now),
    inService: inServiceIn(group),
    since: oldest.since,
    ...(isSuspended(group, 'Launch') && { launchIsSuspended: true }),
    ...(pauseOf(group.tags) && { isPaused: true }),
  };
}

/** The record also stores since when the holds lack nodes, and that a notification of it was sent. Pure. */
export function withLacks(
  { group, now, ...known }: GroupHolds & { readonly group: AutoScalingGroup; readonly now: number },
  interpreted: FloorRecord,
): FloorRecord {
  const { unmet: _, lacks: __, ...record } = interpreted;
  const lacks = lacksOf(group, known, now);
  return {
    ...record,
    ...(lacks.length > 0 && { lacks }),
    ...(unmetOf(group, known, now) && { unmet: true }),
  };
}

/**
 * The numbers of nodes that the group lacks now, the smallest first, each with the time since which it was asked for and not there. A higher
 * hold begins a lack of its own: its nodes need time to launch, however long the lower hold has had its nodes.
 */
function lacksOf(group: AutoScalingGroup, known: GroupHolds, now: number): readonly Lack[] {
  if (group.countsUnits) return [];
  const asked = askedNodes(known, now);
  const inService = inServiceIn(group);
  if (inService >= asked) return [];
  const before = lacksIn(known.record).filter(({ nodes }) => nodes > inService && nodes <= asked);
  if (before.at(-1)?.nodes === asked) return before;
  return [...before, { nodes: asked, since: now }].slice(0, mostLacks);
}

/** Without a bound, a hold that grows each minute would fill the parameter. The oldest are those that count. */
const mostLacks = 20;

const lacksIn = (reading: FloorReading): readonly Lack[] =>
  reading.kind === 'record' ? (reading.record.lacks ?? []) : [];

/** The nodes that the active holds of a group ask for together. */
export const askedNodes = ({ holds }: GroupHolds, now: number): number =>
  Math.max(0, ...activeHolds(holds, now).map(({ nodes }) => nodes));

/** The instances of a group that serve. */
export const inServiceIn = ({ instances }: AutoScalingGroup): number =>
  instances.filter(({ lifecycleState, healthy }) => healthy && phaseOf(lifecycleState) === 'in-service')
    .length;

/** The problem as text, with the reasons that AWS gives. */
export const unmetReason = (
  { asked, inService, launchIsSuspended, isPaused }: Omit<Unmet, 'since'>,
  reasons: readonly string[],
): string =>
  [
    `the holds ask for ${asked} nodes, and ${inService} are in service`,
    ...(launchIsSuspended ? ['the group suspends Launch'] : []),
    ...(isPaused ? ['the group is paused, so Drover does not raise MinSize'] : []),
    ...reasons,
  ].join('; ');
