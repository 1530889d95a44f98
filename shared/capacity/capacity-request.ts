import { type AutoScalingGroup, isSuspended, roleOf, unitsOf } from '../groups/group.ts';
import type { Bounds } from './groups.ts';
import type { Hold } from './holds/hold.ts';
import { phaseOf } from './members.ts';

/** The direction in which a group is scaled. */
export type Direction = 'out' | 'in' | 'none';

/** The decision about a requested capacity. */
export type CapacityDecision =
  | {
      readonly kind: 'accepted';
      readonly from: number;
      readonly to: number;
      readonly direction: Direction;
      /** The new MaxSize of the group; undefined if it does not change. */
      readonly maxSize?: number;
      readonly reason: string;
    }
  | { readonly kind: 'refused'; readonly cause: 'out-of-bounds' | 'held' | 'etcd'; readonly reason: string };

export const directionOf = (from: number, to: number): Direction =>
  to > from ? 'out' : to < from ? 'in' : 'none';

/** What limits a capacity besides the bounds of the group. */
interface CapacityLimits {
  /** The active holds of the group. */
  readonly holds?: readonly Hold[];
  /** The highest value to which MaxSize may be raised; by default it is not raised. */
  readonly maxSizeLimit?: number;
}

/**
 * Decides whether a group may have this desired capacity. Auto Scaling checks the bounds too, but this check gives the caller a
 * clear message and works in a dry run. The size of an etcd group is its membership, which may only change by one member at a
 * time: otherwise quorum is lost.
 */
export function decideCapacity(
  group: AutoScalingGroup,
  desiredCapacity: number,
  { holds = [], maxSizeLimit = 0 }: CapacityLimits = {},
): CapacityDecision {
  const { minSize, desiredCapacity: from } = group;
  const maxSize = Math.max(group.maxSize, Math.min(desiredCapacity, maxSizeLimit));
  const above = holds.filter(({ nodes }) => nodes > desiredCapacity);
  if (above.length > 0 && desiredCapacity < from)
    return { kind: 'refused', cause: 'held', reason: `${above.map(holdWords).join(', and ')}: end it first` };
  if (desiredCapacity < minSize || desiredCapacity > maxSize)
    return {
      kind: 'refused',
      cause: 'out-of-bounds',
      reason: boundsWords({ minSize, maxSize: group.maxSize, maxSizeLimit }, desiredCapacity),
    };
  const direction = directionOf(from, desiredCapacity);
  if (roleOf(group) === 'etcd' && direction !== 'none')
    return {
      kind: 'refused',
      cause: 'etcd',
      reason: 'the size of an etcd group is the membership of etcd, which changes by one member at a time',
    };
  return {
    kind: 'accepted',
    from,
    to: desiredCapacity,
    direction,
    ...(maxSize > group.maxSize && { maxSize }),
    reason: reasonOf(group, desiredCapacity),
  };
}

function boundsWords(
  { minSize, maxSize, maxSizeLimit }: Bounds & { readonly maxSizeLimit: number },
  asked: number,
): string {
  if (maxSizeLimit <= maxSize) {
    const remedy = asked > maxSize && maxSizeLimit === 0 ? '; with raiseMaxSize it may be larger' : '';
    return `it must be from ${minSize} to ${maxSize}, the MinSize and MaxSize of the group${remedy}`;
  }
  return `it must be from ${minSize}, the MinSize of the group, to ${maxSizeLimit}, the parameter maxSizeLimit of the deployment`;
}

const holdWords = ({ name, nodes, until }: Hold): string =>
  `the hold ${name} keeps ${nodes} nodes until ${new Date(until).toISOString()}`;

function reasonOf(group: AutoScalingGroup, to: number): string {
  const { desiredCapacity: from } = group;
  if (to === from) return `the desired capacity is ${to} already`;
  if (to > from) return launchWords(group, to);
  return `Auto Scaling chooses ${numberOf(group, from - to)} to terminate; nodes are drained before they go${suspensionWords(group, 'Terminate')}${protectionWords(group, from - to)}`;
}

/** Instances that an earlier scale-in could not terminate are there already. */
function launchWords(group: AutoScalingGroup, to: number): string {
  const present = unitsOf(presentIn(group));
  const missing = to - Math.max(group.desiredCapacity, present);
  return missing > 0
    ? `Auto Scaling launches ${numberOf(group, missing)}${suspensionWords(group, 'Launch')}`
    : `Auto Scaling launches nothing: the group has ${numberOf(group, present)} already`;
}

const numberOf = ({ countsUnits }: Pick<AutoScalingGroup, 'countsUnits'>, number: number): string =>
  `${number} ${countsUnits ? 'unit' : 'instance'}${number === 1 ? '' : 's'}`;

/** The instances that count towards the desired capacity and stay. */
const presentIn = ({ instances }: Pick<AutoScalingGroup, 'instances'>) =>
  instances.filter(({ lifecycleState }) => /^(?:pending|in-service)$/.test(phaseOf(lifecycleState)));

/** The end of a sentence about a scale-in, if protection leaves Auto Scaling fewer instances to choose from than it needs. */
export function protectionWords(
  group: Pick<AutoScalingGroup, 'instances' | 'countsUnits'>,
  wanted: number,
): string {
  const present = presentIn(group);
  const free = unitsOf(present.filter(({ protectedFromScaleIn }) => protectedFromScaleIn !== true));
  if (free >= wanted) return '';
  const count = present.filter(({ protectedFromScaleIn }) => protectedFromScaleIn === true).length;
  if (count === 0) return '';
  const which = count === 1 ? '1 instance is' : `${count} instances are`;
  return `; ${which} protected from scale-in, so it chooses ${free === 0 ? 'none' : `${numberOf(group, free)} at most`} until the protection is removed`;
}

/** What the size of a group counts: instances or nodes, or units of them. */
export const countedIn = (
  { countsUnits }: Pick<AutoScalingGroup, 'countsUnits'>,
  word: 'instances' | 'nodes',
): string => (countsUnits ? `units of ${word}` : word);

/** The end of a sentence about what Auto Scaling has yet to do, if the group suspends that process. */
export const suspensionWords = (
  group: Pick<AutoScalingGroup, 'suspendedProcesses'>,
  process: 'Launch' | 'Terminate',
): string => (isSuspended(group, process) ? `; the group suspends ${process}` : '');
