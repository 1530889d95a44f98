import { type AutoScalingGroup, isSuspended, whyUnits } from '../../groups/group.ts';
import { membersOf, serves } from '../members.ts';
import type { ObservedNodes } from '../observed-nodes.ts';
import type { PodsRecord } from '../pod-holds/pods-reading.ts';
import { type Hold, isActive } from './hold.ts';
import { isForPods } from './pod-floor.ts';
import { podHoldState } from './pod-hold-state.ts';

/**
 * - `met`: the nodes are Ready, or each open pod has room on one;
 * - `waiting`: some nodes are missing or not Ready;
 * - `unknown`: the instances are in service, but it is unknown whether their nodes are Ready; or what is known of the pods is old;
 * - `over`: the hold has ended.
 */
export type HoldStateName = 'met' | 'waiting' | 'unknown' | 'over';

export interface HoldState {
  readonly state: HoldStateName;
  readonly reason: string;
}

/** The state of a hold. Only Ready nodes meet a hold; instances in service do not. Pure. */
export function holdStateOf(
  hold: Hold,
  facts: {
    /** Undefined if there is no such managed group. */
    readonly group: AutoScalingGroup | undefined;
    readonly nodes: ObservedNodes;
    /** What the record of the group's floor remembers of the pods of holds. */
    readonly pods?: PodsRecord | undefined;
    /** The reason why the newest launch failed. */
    readonly failedLaunch?: string | undefined;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): HoldState {
  const { group, nodes, pods, failedLaunch, now } = facts;
  if (hold.endedAt !== undefined && hold.until > now)
    return { state: 'over', reason: 'it was ended early, and its schedule does not create it again' };
  if (!isActive(hold, now)) return { state: 'over', reason: 'it has ended' };
  if (!group) return { state: 'waiting', reason: 'there is no such managed group' };
  const units = whyUnits(group);
  if (units !== undefined) return { state: 'waiting', reason: units };
  if (isForPods(hold)) {
    const { state, reason } = podHoldState(hold, pods, now);
    return {
      state,
      reason: [reason, ...(state === 'waiting' ? whyNoNodes(group, failedLaunch) : [])].join('; '),
    };
  }
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
    ...whyNoNodes(group, failedLaunch),
  ];
  return { state: 'waiting', reason: reasons.join('; ') };
}

const whyNoNodes = (group: AutoScalingGroup, failedLaunch: string | undefined): readonly string[] => [
  ...(isSuspended(group, 'Launch') ? ['the group suspends Launch'] : []),
  ...(failedLaunch === undefined ? [] : [`the last launch failed: ${failedLaunch}`]),
];
