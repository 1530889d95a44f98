import { type AutoScalingGroup, unitsOf } from '../groups/group.ts';
import {
  countedIn,
  type Direction,
  directionOf,
  protectionWords,
  suspensionWords,
} from './capacity-request.ts';
import type { GroupActivity } from './groups.ts';
import { type Counts, countMembers, type Member, membersOf, serves } from './members.ts';
import type { ObservedNodes } from './observed-nodes.ts';

/** A change of capacity. It is stored only in the status link of the change. */
export interface CapacityChange {
  readonly from: number;
  readonly desired: number;
}

/**
 * - `settled`: after scaling out, the Nodes are Ready; after scaling in, the instances are drained and terminated; without a change, both;
 * - `superseded`: the group has another desired capacity now;
 * - `unknown`: the instances are in service, but it is unknown whether their Nodes are Ready.
 */
type ProgressState = 'settled' | 'scaling-out' | 'scaling-in' | 'superseded' | 'unknown';

export interface Progress {
  readonly state: ProgressState;
  readonly reason: string;
  readonly counts: Counts;
  /** The first instances that the change waits for. */
  readonly waitingFor: readonly { readonly instanceId: string; readonly reason: string }[];
}

export interface ProgressInput {
  readonly group: AutoScalingGroup;
  readonly nodes: ObservedNodes;
  /** Defaults to the group's own desired capacity. */
  readonly change?: CapacityChange;
  /** Instances that are leaving for another reason than the change. Defaults to none. */
  readonly foreignLeaves?: ReadonlySet<string>;
}

const shownMembers = 20;

/** Computes the progress of a group towards a capacity. Pure. */
export function progressOf({ group, nodes, change, foreignLeaves = new Set() }: ProgressInput): Progress {
  const members = membersOf(group, nodes);
  const observation: CapacityObservation = {
    group,
    members,
    nodes,
    counts: countMembers(members, nodes),
    change,
    foreignLeaves,
  };
  const verdict =
    superseded(observation) ?? scalingIn(observation) ?? scalingOut(observation) ?? settled(observation);
  return { waitingFor: [], ...verdict, counts: observation.counts };
}

interface CapacityObservation {
  readonly group: AutoScalingGroup;
  readonly members: readonly Member[];
  readonly nodes: ObservedNodes;
  readonly counts: Counts;
  readonly change: CapacityChange | undefined;
  readonly foreignLeaves: ReadonlySet<string>;
}

type ProgressVerdict = Pick<Progress, 'state' | 'reason'> & Partial<Pick<Progress, 'waitingFor'>>;

const directionWanted = ({ change }: CapacityObservation): Direction =>
  change === undefined ? 'none' : directionOf(change.from, change.desired);

const capacityWanted = ({ change, group }: CapacityObservation): number =>
  change?.desired ?? group.desiredCapacity;

/** A group that still shows the previous number is not superseded: Auto Scaling is eventually consistent. */
function superseded({ group, change }: CapacityObservation): ProgressVerdict | undefined {
  if (change === undefined || [change.desired, change.from].includes(group.desiredCapacity)) return undefined;
  return {
    state: 'superseded',
    reason: `the desired capacity is ${group.desiredCapacity} now, not ${change.desired}`,
  };
}

/** A scale-out does not wait for leaving Nodes. A scale-in does not wait for new Nodes, or for Nodes that leave for another reason. */
function scalingIn(observation: CapacityObservation): ProgressVerdict | undefined {
  if (directionWanted(observation) === 'out') return undefined;
  const { group } = observation;
  const leaving = leavingFor(observation);
  const surplus = surplusOf(observation);
  if (leaving.length === 0 && surplus <= 0) return undefined;
  const reason =
    leaving.length > 0
      ? `${leaving.length} of the instances ${leaving.length === 1 ? 'is' : 'are'} not drained and terminated yet${foreignWords(observation)}`
      : `Auto Scaling has yet to choose ${surplus}${group.countsUnits ? ' units' : ''} to terminate${suspensionWords(group, 'Terminate')}${protectionWords(group, surplus)}`;
  return { state: 'scaling-in', reason, waitingFor: leaving.slice(0, shownMembers).map(whyLeaving) };
}

/** In a group that counts units, Auto Scaling keeps an instance if the group would have too few units without it. */
function surplusOf(observation: CapacityObservation): number {
  const present = observation.members.filter(({ phase }) => phase === 'pending' || phase === 'in-service');
  const surplus = unitsOf(present) - capacityWanted(observation);
  return present.some(({ weight = 1 }) => weight <= surplus) ? surplus : 0;
}

function scalingOut(observation: CapacityObservation): ProgressVerdict | undefined {
  if (directionWanted(observation) === 'in') return undefined;
  const { group } = observation;
  const wanted = capacityWanted(observation);
  const arriving = observation.members.filter(isArriving);
  const inService = unitsOf(observation.members.filter(({ phase }) => phase === 'in-service'));
  const waitingFor = arriving.slice(0, shownMembers).map(whyArriving);
  if (inService < wanted)
    return {
      state: 'scaling-out',
      reason: `${inService} of ${wanted} ${countedIn(group, 'instances')} are in service${suspensionWords(group, 'Launch')}`,
      waitingFor,
    };
  if (observation.nodes.status === 'unknown') return { state: 'unknown', reason: observation.nodes.reason };
  const ready = unitsOf(observation.members.filter(serves));
  if (ready >= wanted) return undefined;
  const reason = `${ready} of ${wanted} ${countedIn(group, 'nodes')} are Ready`;
  return { state: 'scaling-out', reason, waitingFor };
}

function settled(observation: CapacityObservation): ProgressVerdict {
  const wanted = capacityWanted(observation);
  const { group, members } = observation;
  const number = `${wanted} of ${wanted}`;
  const serving = members.some(({ needsNode }) => needsNode)
    ? `${number} ${countedIn(group, 'nodes')} are Ready`
    : `${number} ${countedIn(group, 'instances')} are in service`;
  const words: Readonly<Record<Direction, string>> = {
    out: serving,
    in: scaledIn(observation),
    none: `${serving} and none is leaving`,
  };
  return { state: 'settled', reason: words[directionWanted(observation)] };
}

function scaledIn(observation: CapacityObservation): string {
  const { inService } = observation.counts.instances;
  const others = foreignWords(observation);
  const none = others === '' ? 'no instance is terminating' : 'no instance of the change is terminating';
  return `${none}, ${inService} ${inService === 1 ? 'is' : 'are'} in service${others}`;
}

const leavingFor = ({ members, foreignLeaves }: CapacityObservation): readonly Member[] =>
  members.filter((member) => isLeaving(member) && !foreignLeaves.has(member.instanceId));

/** The counts include these instances, so the reason names them. */
function foreignWords({ members, foreignLeaves }: CapacityObservation): string {
  const count = members.filter((member) => isLeaving(member) && foreignLeaves.has(member.instanceId)).length;
  if (count === 0) return '';
  return count === 1 ? '; 1 more leaves for another reason' : `; ${count} more leave for other reasons`;
}

/** Whether Auto Scaling terminates the instance, or Drover drains its Node. */
export const isLeaving = ({ phase, node }: Member): boolean =>
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
  return { instanceId, reason: node.leaving ? `${node.name} is leaving` : `${node.name} is not Ready` };
}

/**
 * The instances that are leaving for another reason than this scale-in: an operator or a program terminated them, they failed a health
 * check, Spot interrupted them, or an earlier scale-in chose them. Auto Scaling gives the reason in the cause of the activity (user guide,
 * "Verify a scaling activity for an Auto Scaling group"). An instance without an activity is not included, because the scale-in may have
 * chosen it. Pure.
 *
 * @param activities - the newest first
 */
export function foreignLeaves(
  activities: readonly GroupActivity[],
  change: CapacityChange,
): ReadonlySet<string> {
  const newest = new Map<string, GroupActivity>();
  for (const activity of activities) {
    const instanceId = /^Terminating EC2 instance: (i-[0-9a-f]+)/.exec(activity.description)?.[1];
    if (instanceId !== undefined && !newest.has(instanceId)) newest.set(instanceId, activity);
  }
  return new Set(
    [...newest].filter(([, { cause }]) => !isOf(change, cause)).map(([instanceId]) => instanceId),
  );
}

/**
 * "At T a user request explicitly set group desired capacity changing the desired capacity from 3 to 1.  At T an instance was taken out of
 * service in response to a difference between desired and actual capacity, ...": a cause names the changes only until they are reached.
 */
function isOf({ desired }: CapacityChange, cause: string): boolean {
  if (!cause.includes('difference between desired and actual capacity')) return false;
  const changes = [...cause.matchAll(/changing the desired capacity from \d+ to (\d+)/g)];
  return changes.length === 0 || changes.some(([, to]) => Number(to) === desired);
}
