import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import { type Hold, mostHeldNodes } from './hold.ts';
import { holdNamePattern } from './parameters.ts';

/** Why a hold is refused before it is made. */
export interface HoldRefusal {
  readonly cause: 'invalid' | 'etcd' | 'out-of-bounds';
  readonly reason: string;
}

/** A year: what is meant to last is MinSize. */
export const longestHoldSeconds = 366 * 86_400;

/** An end that counts from now, in epoch milliseconds of whole seconds. */
export const endAfter = (durationSeconds: number, now: number): number =>
  Math.ceil(now / 1000 + durationSeconds) * 1000;

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
  const units = whyUnits(group);
  if (units !== undefined) return invalid(units);
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
  if (until > endAfter(longestHoldSeconds, now))
    return invalid('a hold ends within a year; for longer, raise MinSize itself');
  return undefined;
}

const invalid = (reason: string): HoldRefusal => ({ cause: 'invalid', reason });

/** Whether two holds ask for the same, whoever made them. */
const sameWish = (one: Hold, other: Hold): boolean =>
  one.nodes === other.nodes && one.until === other.until && one.raiseMaxSize === other.raiseMaxSize;

/**
 * Whether a hold that stands is what is wanted. An end that counts from now is another one at each request, so that a repeated request would never
 * be the same: the hold stands for it too where its maker asks again for the same duration, which counts from the first time, and where it
 * lasts as long anyway. Pure.
 */
export const standsFor = (
  standing: Hold,
  { hold, durationSeconds }: { readonly hold: Hold; readonly durationSeconds?: number | undefined },
): boolean =>
  sameWish(standing, hold) ||
  (durationSeconds !== undefined &&
    sameWish({ ...standing, until: hold.until }, hold) &&
    standing.by === hold.by &&
    (standing.until >= hold.until || isMadeFor(standing, durationSeconds)));

const isMadeFor = ({ createdAt, until }: Hold, durationSeconds: number): boolean =>
  createdAt !== undefined && endAfter(durationSeconds, createdAt) === until;
