/** A completed launch of a group, from its scaling activities. */
export interface Launch {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The lead of a group that has no launches yet. */
export const defaultLeadSeconds = 600;

const shortestSeconds = 120;
const longestSeconds = 1800;
const countedLaunches = 20;
/** The second slowest of twenty launches: a single launch that hung does not decide. */
const share = 0.9;
/** The scan runs every minute, and Auto Scaling starts launches some seconds after a change. */
const marginSeconds = 90;

/**
 * How long before its time a hold must be created, from the newest launches of the group. An activity ends when the instance is in service.
 * With Drover's launch hook, its node is Ready then. Pure.
 */
export function measuredLeadSeconds(launches: readonly Launch[]): number {
  const seconds = launches
    .toSorted((one, other) => other.endedAt - one.endedAt)
    .slice(0, countedLaunches)
    .map(({ startedAt, endedAt }) => (endedAt - startedAt) / 1000)
    .sort((one, other) => one - other);
  const slow = seconds[Math.ceil(seconds.length * share) - 1];
  if (slow === undefined) return defaultLeadSeconds;
  return Math.min(longestSeconds, Math.max(shortestSeconds, Math.ceil(slow) + marginSeconds));
}
