import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
  type DescribeScalingActivitiesCommandOutput,
} from '@aws-sdk/client-auto-scaling';
import { required } from './unreadable-answer.ts';

export interface ActivitiesQuery {
  readonly autoScalingGroupName: string;
  /** At most 100. */
  readonly maxRecords: number;
  /** Absent: from the newest. */
  readonly nextToken?: string | undefined;
}

export interface PageOfActivities extends Pick<DescribeScalingActivitiesCommandOutput, '$metadata'> {
  readonly activities: readonly Activity[];
  /** Absent: there are no older ones. */
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
