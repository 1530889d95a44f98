import { type AutoScalingGroup, roleOf } from '../../lifecycle/group.ts';
import { type Hold, mostHeldNodes } from './hold.ts';
import { holdNamePattern } from './parameter-names.ts';

/** Why a hold is refused before it is made. */
export interface HoldRefusal {
  readonly cause: 'invalid' | 'etcd' | 'out-of-bounds';
  readonly reason: string;
}

/** A year: what is meant to last is MinSize. */
const longestHoldSeconds = 366 * 86_400;

/** Whether a hold may be made for a group; undefined if it may. Where the limit is not known, `prewarm` alone applies it. Pure. */
export function refuseHold(
  group: AutoScalingGroup,
  hold: Hold,
  { now, maxSizeLimit = Infinity }: { readonly now: number; readonly maxSizeLimit?: number },
): HoldRefusal | undefined {
  const { name, nodes, until, raiseMaxSize } = hold;
  if (!holdNamePattern.test(name))
    return invalid('the name of a hold has letters, digits, dots, dashes and underscores, 64 at most');
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > mostHeldNodes)
    return invalid(`a hold asks for 1 to ${mostHeldNodes} nodes`);
  const badEnd = refuseEnd(until, now);
  if (badEnd !== undefined) return badEnd;
  if (roleOf(group) === 'etcd')
    return {
      cause: 'etcd',
      reason: 'the size of an etcd group is the membership of etcd, which changes by one member at a time',
    };
  if (nodes > group.maxSize && !raiseMaxSize)
    return {
      cause: 'out-of-bounds',
      reason: `the group may have ${group.maxSize} nodes at most (MaxSize), unless the hold raises it`,
    };
  if (nodes > Math.max(group.maxSize, maxSizeLimit))
    return {
      cause: 'out-of-bounds',
      reason: `a hold raises MaxSize to ${maxSizeLimit} at most, the parameter maxSizeLimit of the deployment`,
    };
  return undefined;
}

/** Whether a hold may end then; undefined if it may. Pure. */
export function refuseEnd(until: number, now: number): HoldRefusal | undefined {
  if (until <= now) return invalid('the end of the hold is past');
  if (until > now + longestHoldSeconds * 1000)
    return invalid('a hold ends within a year; for longer, raise MinSize itself');
  return undefined;
}

const invalid = (reason: string): HoldRefusal => ({ cause: 'invalid', reason });

/** Whether two holds ask for the same, whoever made them. */
export const sameWish = (one: Hold, other: Hold): boolean =>
  one.nodes === other.nodes && one.until === other.until && one.raiseMaxSize === other.raiseMaxSize;
