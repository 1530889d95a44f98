import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { readActivities } from '../../shared/aws/activities.ts';
import { hasCode } from '../../shared/aws/errors.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { reasonOf } from '../reason-of.ts';
import { type ActivityFact, readActivityFact } from './fold/launches.ts';
import type { Source } from './observed.ts';

export interface ActivitiesQuery {
  readonly groups: readonly string[];
  /** Epoch milliseconds. */
  readonly since: number;
  readonly until: number;
}

export interface ActivitiesObserved {
  readonly activities: Source<readonly ActivityFact[]>;
  /** From when on all activities were read, in epoch milliseconds. */
  readonly from: number;
  readonly missing: readonly string[];
}

/** "By default, Amazon EC2 Auto Scaling keeps activities for six weeks" (API reference of DescribeScalingActivities). */
const keptMilliseconds = 42 * 86_400_000;
const mostPages = 100;

/** Reads the launches and terminations that ended in this time. A group that cannot be read makes them unknown: a sum without it would be wrong. */
export async function observeActivities(
  client: AutoScalingClient,
  { groups, since, until }: ActivitiesQuery,
): Promise<ActivitiesObserved> {
  const kept = Math.max(since, until - keptMilliseconds);
  const missing = kept > since ? [`activities before ${isoSeconds(kept)}: AWS keeps them for six weeks`] : [];
  const facts: ActivityFact[] = [];
  let from = kept;
  try {
    for (const group of groups) {
      const cutAt = await readGroup(client, { group, since }, (fact) => {
        if (fact.at >= since && fact.at <= until) facts.push(fact);
      });
      if (cutAt !== undefined) {
        from = Math.max(from, cutAt);
        missing.push(
          `activities of ${group} before ${isoSeconds(cutAt)}: there are more than ${mostPages * 100}`,
        );
      }
    }
  } catch (error) {
    const why = hasCode(error, 'AccessDenied', 'AccessDeniedException')
      ? 'allow autoscaling:DescribeScalingActivities'
      : reasonOf(error);
    const reason = `the activities of the groups cannot be read: ${why}`;
    return { activities: { kind: 'unknown', reason }, from, missing: [reason] };
  }
  return { activities: { kind: 'known', value: facts }, from, missing };
}

/** @returns the time of the oldest activity that was read, if there are older ones in this time. */
async function readGroup(
  client: AutoScalingClient,
  { group, since }: { readonly group: string; readonly since: number },
  onFact: (fact: ActivityFact) => void,
): Promise<number | undefined> {
  let nextToken: string | undefined;
  let oldest = Infinity;
  for (let page = 0; page < mostPages; page += 1) {
    const { activities, ...read } = await readActivities(client, {
      autoScalingGroupName: group,
      maxRecords: 100,
      nextToken,
    });
    for (const activity of activities) {
      oldest = Math.min(oldest, activity.StartTime?.getTime() ?? oldest);
      const fact = readActivityFact(activity);
      if (fact) onFact(fact);
    }
    nextToken = read.nextToken;
    // They come from the newest to the oldest by their begin. A wait on a hook ends up to two days later.
    if (nextToken === undefined || oldest < since - longestWaitMilliseconds) return undefined;
  }
  return oldest;
}

/** "The maximum amount of time that you can keep an instance in a wait state is 48 hours" (user guide of lifecycle hooks). */
const longestWaitMilliseconds = 48 * 3_600_000;
