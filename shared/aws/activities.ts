import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
  type DescribeScalingActivitiesCommandOutput,
} from '@aws-sdk/client-auto-scaling';
import { instanceIdSource } from '../base/instance-id.ts';
import type { Launch } from '../capacity/schedules/measured-lead.ts';
import { hasCode, required } from './errors.ts';

export interface ActivitiesQuery {
  readonly autoScalingGroupName: string;
  /** At most 100. */
  readonly maxRecords: number;
  /** Undefined begins with the newest. */
  readonly nextToken?: string | undefined;
}

export interface PageOfActivities extends Pick<DescribeScalingActivitiesCommandOutput, '$metadata'> {
  readonly activities: readonly Activity[];
  /** Undefined if there are no older ones. */
  readonly nextToken?: string;
}

/** One page of the activities of a group, from the newest to the oldest. Auto Scaling keeps them for six weeks. */
export async function readActivities(
  client: AutoScalingClient,
  { autoScalingGroupName, maxRecords, nextToken }: ActivitiesQuery,
): Promise<PageOfActivities> {
  const { Activities, NextToken, $metadata } = await client.send(
    new DescribeScalingActivitiesCommand({
      AutoScalingGroupName: autoScalingGroupName,
      MaxRecords: maxRecords,
      ...(nextToken !== undefined && { NextToken: nextToken }),
    }),
  );
  return {
    activities: required(Activities, { name: 'Activities', $metadata }),
    ...(NextToken && { nextToken: NextToken }),
    $metadata,
  };
}

const pageSize = 100;

/** How many of the newest activities `newestActivities` reads. */
export const mostActivities = 1000;

/** The newest activities of a group, page by page. */
export async function* newestActivities(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): AsyncGenerator<PageOfActivities> {
  let nextToken: string | undefined;
  for (let read = 0; read < mostActivities; read += pageSize) {
    const page = await readActivities(client, { autoScalingGroupName, maxRecords: pageSize, nextToken });
    yield page;
    nextToken = page.nextToken;
    if (nextToken === undefined) return;
  }
}

/** Whether it is a launch that has succeeded or failed. */
export const isEndedLaunch = ({ Description = '', EndTime }: Activity): boolean =>
  Description.startsWith('Launching a new EC2 instance') && EndTime !== undefined;

/**
 * How many launches of a group were abandoned since the last one that succeeded, whatever abandoned them. Launches that fail for want of
 * capacity come every minute, and lie between those that were abandoned. The thousand newest activities are read at most.
 */
export async function countAbandonedLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<number> {
  let count = 0;
  for await (const { activities } of newestActivities(client, autoScalingGroupName)) {
    const launches = activities.filter(isEndedLaunch);
    const lastGood = launches.findIndex(({ StatusCode }) => StatusCode === 'Successful');
    count += (lastGood === -1 ? launches : launches.slice(0, lastGood)).filter(isAbandoned).length;
    if (lastGood !== -1) return count;
  }
  return count;
}

/** "Lifecycle Action with token T was abandoned: Lifecycle Action Completed with ABANDON Result", or the same with a timeout at its end. */
const isAbandoned = ({ StatusMessage = '' }: Activity): boolean => /\babandoned\b/i.test(StatusMessage);

/** A launch fails once a minute if a zone has no capacity, and other zones may have it meanwhile. */
const recordsForFailedLaunch = 20;

/**
 * Why the newest launch of a group failed, in AWS's words, which name the instance type and the zone; undefined where the newest one
 * that ended was successful, or none has ended.
 */
export async function readFailedLaunch(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<string | undefined> {
  return failedLaunchIn(
    (await readActivities(client, { autoScalingGroupName, maxRecords: recordsForFailedLaunch })).activities,
  );
}

/** The same in activities that were read, the newest first. */
export function failedLaunchIn(activities: readonly Activity[]): string | undefined {
  const last = activities.find(isEndedLaunch);
  return last === undefined || last.StatusCode === 'Successful' ? undefined : last.StatusMessage;
}

/** As Auto Scaling describes these activities (user guide, "Temporarily remove instances", "Warm pools"). */
const returnPattern = new RegExp(
  `^(?:Moving EC2 instance out of Standby|Launching a new EC2 instance from warm pool): (${instanceIdSource})(?![0-9a-f])`,
);

/**
 * When instances of a group last left Standby or the warm pool, in epoch milliseconds. The newest page is enough: unless the group churns,
 * it has the activities within a join's window.
 */
export async function readGroupReturns(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<ReadonlyMap<string, number>> {
  const { activities } = await readActivities(client, { autoScalingGroupName, maxRecords: pageSize });
  const returns = new Map<string, number>();
  for (const { Description = '', StartTime } of activities) {
    const instanceId = returnPattern.exec(Description)?.[1];
    const at = StartTime?.getTime();
    if (instanceId !== undefined && at !== undefined)
      returns.set(instanceId, Math.max(at, returns.get(instanceId) ?? at));
  }
  return returns;
}

/** As Auto Scaling describes a termination, but not one of an instance in a warm pool. */
const terminationPattern = new RegExp(`^Terminating EC2 instance: (${instanceIdSource})(?![0-9a-f])`);

/** The instances whose termination has begun and not ended, among the newest activities of a group. A hook may hold them. */
export async function readTerminating(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<ReadonlySet<string>> {
  const { activities } = await readActivities(client, { autoScalingGroupName, maxRecords: pageSize });
  return new Set(
    activities.flatMap(({ Description = '', EndTime }) =>
      EndTime === undefined ? (terminationPattern.exec(Description)?.[1] ?? []) : [],
    ),
  );
}

/** The successful launches among the newest activities of a group, with those from its warm pool but not those into it. */
export async function readLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<readonly Launch[]> {
  return launchesIn(
    (await readActivities(client, { autoScalingGroupName, maxRecords: pageSize })).activities,
  );
}

/** The successful launches and terminations among the newest activities of a group. */
export async function readHistory(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<{ readonly launches: readonly Launch[]; readonly terminations: readonly Launch[] }> {
  const { activities } = await readActivities(client, { autoScalingGroupName, maxRecords: pageSize });
  return {
    launches: launchesIn(activities),
    terminations: activities.flatMap((activity) =>
      spanOf(activity, /^Terminating EC2 instance(?! from warm pool)/),
    ),
  };
}

/** The same, and none if the group does not exist any more. */
export async function readLaunchesIfAny(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<readonly Launch[]> {
  try {
    return await readLaunches(client, autoScalingGroupName);
  } catch (error) {
    if (hasCode(error, 'ValidationError') && /not found/i.test(String(error))) return [];
    throw error;
  }
}

/** The same in activities that were read. */
export const launchesIn = (activities: readonly Activity[]): readonly Launch[] =>
  activities.flatMap(toLaunch);

const toLaunch = (activity: Activity): readonly Launch[] =>
  spanOf(activity, /^Launching a new EC2 instance(?! into warm pool)/);

function spanOf(
  { Description = '', StatusCode, StartTime, EndTime }: Activity,
  described: RegExp,
): readonly Launch[] {
  if (!described.test(Description) || StatusCode !== 'Successful' || !StartTime || !EndTime) return [];
  return [{ startedAt: StartTime.getTime(), endedAt: EndTime.getTime() }];
}
