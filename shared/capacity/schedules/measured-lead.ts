/** A launch of a group that ended, from its scaling activities. */
export interface Launch {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The lead of a group that has not launched anything yet. */
export const defaultLeadSeconds = 600;

const shortestSeconds = 120;
const longestSeconds = 1800;
const countedLaunches = 20;
/** Of twenty launches the second slowest: one launch that hung does not decide. */
const share = 0.9;
/** The look comes every minute, and Auto Scaling starts launches some seconds after a change. */
const marginSeconds = 90;

/**
 * How long before its time a hold has to be made, from the newest launches of the group. An activity ends once the instance is in
 * service. Under the launch hook of Drover that is when its node is Ready. Pure.
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
