import type { Activity } from '@aws-sdk/client-auto-scaling';
import { isEndedLaunch } from '../../../shared/aws/activities.ts';
import { instanceIdSource } from '../../../shared/base/instance-id.ts';

/** A launch or a termination that has ended, from an activity of Auto Scaling. */
export interface ActivityFact {
  /** When it ended, in epoch milliseconds. */
  readonly at: number;
  readonly group: string;
  readonly instanceId: string | undefined;
  readonly kind: 'launched' | 'launch-failed' | 'terminated';
  /** AWS's words, for a launch that failed. */
  readonly reason?: string;
}

/** Undefined for an activity that has not ended, and for what is neither a launch nor a termination, such as those of warm pools. Pure. */
export function readActivityFact(activity: Activity): ActivityFact | undefined {
  const { Description = '', EndTime, StatusCode, StatusMessage, AutoScalingGroupName = '' } = activity;
  if (EndTime === undefined) return undefined;
  const instanceId = new RegExp(`(?<![0-9a-z])${instanceIdSource}(?![0-9a-f])`).exec(Description)?.[0];
  const base = { at: EndTime.getTime(), group: AutoScalingGroupName, instanceId };
  if (/^Terminating EC2 instance(?! from warm pool)/.test(Description))
    return { ...base, kind: 'terminated' };
  if (!isEndedLaunch(activity) || Description.includes('into warm pool')) return undefined;
  if (StatusCode === 'Successful') return { ...base, kind: 'launched' };
  return { ...base, kind: 'launch-failed', reason: plainReason(StatusMessage ?? `it is ${StatusCode}`) };
}

const longestReason = 240;

/** The same failure in the same words: without ids and tokens, which differ in each. */
function plainReason(message: string): string {
  const plain = message
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b(i|eni|vol)-[0-9a-f]{8,17}\b/g, '$1-ID')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length <= longestReason ? plain : `${plain.slice(0, longestReason - 1)}…`;
}

/** Launches that failed for one reason in one group. */
export interface FailedLaunches {
  readonly group: string;
  readonly reason: string;
  readonly count: number;
  /** Epoch milliseconds. */
  readonly last: number;
}

/** The reasons, the most frequent first. Pure. */
export function failedLaunchesOf(facts: readonly ActivityFact[]): readonly FailedLaunches[] {
  const failed = facts.filter(({ kind }) => kind === 'launch-failed');
  return [...Map.groupBy(failed, ({ group, reason = '' }) => `${group}\n${reason}`).values()]
    .map((same) => ({
      group: same[0]?.group ?? '',
      reason: same[0]?.reason ?? '',
      count: same.length,
      last: Math.max(...same.map(({ at }) => at)),
    }))
    .toSorted((one, other) => other.count - one.count || other.last - one.last);
}
