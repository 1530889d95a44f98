import { type AutoScalingGroup, isSuspended, whyUnits } from '../../groups/group.ts';
import { membersOf, phaseOf, serves } from '../members.ts';
import type { ObservedNodes } from '../observed-nodes.ts';
import { activeHolds } from './bounds.ts';
import type { GroupHolds } from './floor-record.ts';
import { type Hold, isActive } from './hold.ts';

/**
 * - `met`: so many nodes are Ready;
 * - `waiting`: some are not yet;
 * - `unknown`: the instances are in service, and the cluster does not tell whether their nodes are Ready;
 * - `over`: it has ended.
 */
export type HoldStateName = 'met' | 'waiting' | 'unknown' | 'over';

export interface HoldState {
  readonly state: HoldStateName;
  readonly reason: string;
}

/** How far a hold is. A hold is met by nodes that are Ready, never by instances alone. Pure. */
export function holdStateOf(
  hold: Hold,
  facts: {
    /** Undefined if there is no such managed group. */
    readonly group: AutoScalingGroup | undefined;
    readonly nodes: ObservedNodes;
    /** Why the newest launch failed. */
    readonly failedLaunch?: string | undefined;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): HoldState {
  const { group, nodes, failedLaunch, now } = facts;
  if (hold.endedAt !== undefined && hold.until > now)
    return { state: 'over', reason: 'it was ended early, and its schedule does not make it again' };
  if (!isActive(hold, now)) return { state: 'over', reason: 'it has ended' };
  if (!group) return { state: 'waiting', reason: 'there is no such managed group' };
  const units = whyUnits(group);
  if (units !== undefined) return { state: 'waiting', reason: units };
  const members = membersOf(group, nodes);
  if (nodes.status === 'unknown') {
    const inService = members.filter(({ phase }) => phase === 'in-service').length;
    const state = inService >= hold.nodes ? 'unknown' : 'waiting';
    return { state, reason: `${inService} of ${hold.nodes} in service; ${nodes.reason}` };
  }
  const ready = members.filter(serves).length;
  if (ready >= hold.nodes)
    return { state: 'met', reason: ready === 1 ? '1 node is Ready' : `${ready} nodes are Ready` };
  const reasons = [
    `${ready} of ${hold.nodes} nodes are Ready`,
    ...(hold.nodes > group.maxSize ? [`MaxSize is ${group.maxSize}`] : []),
    ...(isSuspended(group, 'Launch') ? ['the group suspends Launch'] : []),
    ...(failedLaunch === undefined ? [] : [`the last launch failed: ${failedLaunch}`]),
  ];
  return { state: 'waiting', reason: reasons.join('; ') };
}

/** cluster-autoscaler gives a node 15 minutes, and a join has twelve (docs/joining.md). */
const metWithinSeconds = 900;

/** A group that has had time for the nodes of its holds, and lacks some. */
export interface Unmet {
  readonly asked: number;
  readonly inService: number;
  /** No node of it can be launched. */
  readonly launchIsSuspended?: true;
}

/** Whether the holds of a group lack nodes although they have had time enough; undefined where they do not. Pure. */
export function unmetOf(
  group: AutoScalingGroup,
  { holds, record }: GroupHolds,
  now: number,
): Unmet | undefined {
  if (group.countsUnits) return undefined;
  const asked = Math.max(0, ...activeHolds(holds, now).map(({ nodes }) => nodes));
  const inService = group.instances.filter(
    ({ lifecycleState, healthy }) => healthy && phaseOf(lifecycleState) === 'in-service',
  ).length;
  const askedAt = record.kind === 'record' ? (record.record.askedAt ?? record.record.changedAt) : now;
  const hadTime = Math.abs(now - askedAt) >= metWithinSeconds * 1000;
  if (!hadTime || inService >= asked) return undefined;
  return { asked, inService, ...(isSuspended(group, 'Launch') && { launchIsSuspended: true }) };
}

/** The problem in words, with the reasons that AWS gives. */
export const unmetReason = (
  { asked, inService, launchIsSuspended }: Unmet,
  reasons: readonly string[],
): string =>
  [
    `the holds ask for ${asked} nodes, and ${inService} are in service`,
    ...(launchIsSuspended ? ['the group suspends Launch'] : []),
    ...reasons,
  ].join('; ');
