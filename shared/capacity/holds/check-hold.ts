import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import { whyNotPlanned } from '../plan/not-planned.ts';
import { isSameRequest } from '../pod-holds/same-request.ts';
import { formatHold, type Hold, mostHeldNodes } from './hold.ts';
import { holdNamePattern, isOccurrenceName } from './parameters.ts';

/** The reason why a hold is refused before it is created. */
export interface HoldRefusal {
  readonly cause: 'invalid' | 'etcd' | 'out-of-bounds';
  readonly reason: string;
}

/** A year. For a longer time, MinSize itself should be raised. */
export const longestHoldSeconds = 366 * 86_400;

/** The time after a duration from now, in epoch milliseconds of whole seconds. */
export const endAfter = (durationSeconds: number, now: number): number =>
  Math.ceil(now / 1000 + durationSeconds) * 1000;

/** Of a standard parameter, in bytes. */
const longestParameter = 4096;

/** With `createdAt`, `endedAt` and the longest ends, whichever the hold has now. */
const laterFields = { until: 0, raiseMaxSize: true, createdAt: 0, endedAt: 0 };

/** The reason why a hold for pods has no place in a parameter, with what helps; undefined if it has. */
export function whyTooLong(hold: Hold): string | undefined {
  const bytes = Buffer.byteLength(formatHold({ ...hold, ...laterFields }));
  return bytes <= longestParameter
    ? undefined
    : `the hold takes ${bytes} bytes, and a parameter has place for ${longestParameter}: give a shorter manifest of one such pod with the same requests, tolerations and affinity, or ask for nodes`;
}

/** The reason why a hold may not be created for a group, if any. If the caller does not know `maxSizeLimit`, only `prewarm` applies it. Pure. */
export function refuseHold(
  group: AutoScalingGroup,
  hold: Hold,
  { now, maxSizeLimit = Infinity }: { readonly now: number; readonly maxSizeLimit?: number },
): HoldRefusal | undefined {
  const { name, nodes, pods, until, raiseMaxSize } = hold;
  if (!holdNamePattern.test(name))
    return invalid('the name of a hold has letters, digits, dots, dashes and underscores, 64 at most');
  if (isOccurrenceName(name))
    return invalid(
      'a name that ends in a time, such as office-hours.20261201T0805Z, is that of a schedule’s hold: it would take its place',
    );
  if (pods === undefined && (!Number.isInteger(nodes) || nodes < 1 || nodes > mostHeldNodes))
    return invalid(`a hold asks for 1 to ${mostHeldNodes} nodes`);
  const notPlanned = pods && (whyNotPlanned({ spec: pods.template.spec }) ?? whyTooLong(hold));
  if (notPlanned !== undefined) return invalid(notPlanned);
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
      reason: `the group may have at most ${group.maxSize} nodes (MaxSize), unless the hold raises it (raiseMaxSize, --raise-max-size)`,
    };
  if (nodes > Math.max(group.maxSize, maxSizeLimit))
    return {
      cause: 'out-of-bounds',
      reason: `a hold raises MaxSize to ${maxSizeLimit} at most, the parameter maxSizeLimit of the deployment`,
    };
  return undefined;
}

/** The reason why a hold may not end at that time, if any. Pure. */
export function refuseEnd(until: number, now: number): HoldRefusal | undefined {
  if (until <= now) return invalid('the end of the hold is in the past');
  if (until > endAfter(longestHoldSeconds, now))
    return invalid('a hold ends within a year; for longer, raise MinSize itself');
  return undefined;
}

const invalid = (reason: string): HoldRefusal => ({ cause: 'invalid', reason });

/** Whether two holds ask for the same. The maker makes no difference. */
const asksForSame = (one: Hold, other: Hold): boolean =>
  isSameRequest(one.pods, other.pods) &&
  // The nodes of a hold for pods are those of the last read.
  (one.pods !== undefined || one.nodes === other.nodes) &&
  one.until === other.until &&
  one.raiseMaxSize === other.raiseMaxSize;

/**
 * Whether an existing hold satisfies a request. If the end is requested as a duration from now, each repetition of the request has another
 * end. The hold therefore also satisfies a request of its own maker with the same duration, which counts from the first request, and one that
 * would not last longer. A request for a set is only satisfied by a hold of that set. Pure.
 */
export const satisfies = (
  existing: Hold,
  { hold, durationSeconds }: { readonly hold: Hold; readonly durationSeconds?: number | undefined },
): boolean =>
  (hold.set === undefined || hold.set === existing.set) &&
  (asksForSame(existing, hold) ||
    (durationSeconds !== undefined &&
      asksForSame({ ...existing, until: hold.until }, hold) &&
      existing.by === hold.by &&
      (existing.until >= hold.until || isMadeFor(existing, durationSeconds))));

const isMadeFor = ({ createdAt, until }: Hold, durationSeconds: number): boolean =>
  createdAt !== undefined && endAfter(durationSeconds, createdAt) === until;
