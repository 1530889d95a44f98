import type { AutoScalingGroup } from '../lifecycle/group.ts';
import { type Direction, directionOf } from './capacity-request.ts';
import { type Counts, countMembers, type Member, membersOf, serves } from './members.ts';
import type { NodesSeen } from './nodes-seen.ts';

/** A change of capacity as its status link carries it; the link is all the memory there is. */
export interface CapacityChange {
  readonly from: number;
  readonly desired: number;
}

/**
 * - `settled`: the nodes are Ready (out); or the instances are gone (in), which Auto Scaling says once their hooks are
 *   completed, that is, once they are drained; or both where no change was named;
 * - `superseded`: the group has another desired capacity by now;
 * - `unknown`: Auto Scaling has done its part, and the cluster does not say whether the nodes are Ready.
 */
type ProgressState = 'settled' | 'scaling-out' | 'scaling-in' | 'superseded' | 'unknown';

export interface Progress {
  readonly state: ProgressState;
  readonly reason: string;
  readonly counts: Counts;
  /** What it still waits for, the first few by name. */
  readonly waitingFor: readonly { readonly instanceId: string; readonly reason: string }[];
}

export interface ProgressInput {
  readonly group: AutoScalingGroup;
  readonly nodes: NodesSeen;
  /** Absent: how the group stands against its own desired capacity. */
  readonly change?: CapacityChange;
}

const shownMembers = 20;

/** How far a group is on its way to a capacity. Pure. */
export function progressOf({ group, nodes, change }: ProgressInput): Progress {
  const members = membersOf(group, nodes);
  const sight: Sight = { group, members, nodes, counts: countMembers(members, nodes), change };
  const verdict = supersededOr(sight) ?? leavingOr(sight) ?? arrivingOr(sight) ?? settled(sight);
  return { waitingFor: [], ...verdict, counts: sight.counts };
}

interface Sight {
  readonly group: AutoScalingGroup;
  readonly members: readonly Member[];
  readonly nodes: NodesSeen;
  readonly counts: Counts;
  readonly change: CapacityChange | undefined;
}

type Verdict = Pick<Progress, 'state' | 'reason'> & Partial<Pick<Progress, 'waitingFor'>>;

const directionWanted = ({ change }: Sight): Direction =>
  change === undefined ? 'none' : directionOf(change.from, change.desired);

const capacityWanted = ({ change, group }: Sight): number => change?.desired ?? group.desiredCapacity;

/** A group that still shows the number from before is not superseded: what Auto Scaling describes may lag behind. */
function supersededOr({ group, change }: Sight): Verdict | undefined {
  if (change === undefined || [change.desired, change.from].includes(group.desiredCapacity)) return undefined;
  return {
    state: 'superseded',
    reason: `the desired capacity is ${group.desiredCapacity} by now, no longer ${change.desired}`,
  };
}

/** Someone who scaled out does not wait for nodes that leave for other reasons, and the other way round. */
function leavingOr(sight: Sight): Verdict | undefined {
  if (directionWanted(sight) === 'out') return undefined;
  const leaving = sight.members.filter(isLeaving);
  const { pending, inService } = sight.counts.instances;
  const surplus = pending + inService - capacityWanted(sight);
  if (leaving.length === 0 && surplus <= 0) return undefined;
  const reason =
    leaving.length > 0
      ? `${leaving.length} of the instances are not drained and gone yet`
      : `Auto Scaling has yet to choose ${surplus} to terminate`;
  return { state: 'scaling-in', reason, waitingFor: leaving.slice(0, shownMembers).map(whyLeaving) };
}

function arrivingOr(sight: Sight): Verdict | undefined {
  if (directionWanted(sight) === 'in') return undefined;
  const wanted = capacityWanted(sight);
  const arriving = sight.members.filter(isArriving);
  const { inService } = sight.counts.instances;
  const waitingFor = arriving.slice(0, shownMembers).map(whyArriving);
  if (inService < wanted)
    return { state: 'scaling-out', reason: `${inService} of ${wanted} instances are in service`, waitingFor };
  if (sight.nodes.status === 'unknown') return { state: 'unknown', reason: sight.nodes.reason };
  const ready = sight.members.filter(serves).length;
  if (ready >= wanted) return undefined;
  return { state: 'scaling-out', reason: `${ready} of ${wanted} nodes are Ready`, waitingFor };
}

function settled(sight: Sight): Verdict {
  const wanted = capacityWanted(sight);
  const words: Readonly<Record<Direction, string>> = {
    out: `${wanted} of ${wanted} nodes are Ready`,
    in: `no instance terminates any more, ${sight.counts.instances.inService} in service`,
    none: `${wanted} of ${wanted} nodes are Ready and nothing leaves`,
  };
  return { state: 'settled', reason: words[directionWanted(sight)] };
}

const isLeaving = ({ phase, node }: Member): boolean =>
  phase === 'terminating' ||
  (phase === 'in-service' && node.status === 'found' && node.leaving !== undefined);

const isArriving = (member: Member): boolean =>
  member.phase === 'pending' ||
  (member.phase === 'in-service' && member.node.status !== 'unknown' && !serves(member));

function whyLeaving({ instanceId, lifecycleState, node }: Member) {
  const mark = node.status === 'found' ? node.leaving : undefined;
  const pods = mark?.waitingFor.length ? `: waits for ${mark.waitingFor.join(', ')}` : '';
  return { instanceId, reason: `is ${lifecycleState}${pods}` };
}

function whyArriving({ instanceId, lifecycleState, phase, node }: Member) {
  if (phase === 'pending') return { instanceId, reason: `is ${lifecycleState}` };
  if (node.status !== 'found') return { instanceId, reason: 'is in service and has no Node' };
  return { instanceId, reason: node.leaving ? `${node.name} leaves` : `${node.name} is not Ready` };
}
