import {
  GetScheduleCommand,
  GetScheduleGroupCommand,
  type GetScheduleOutput,
  ListSchedulesCommand,
  ListTagsForResourceCommand,
  type SchedulerClient,
  type ScheduleSummary,
} from '@aws-sdk/client-scheduler';
import { inParts } from '../base/batched.ts';
import type { Clock } from '../base/clock.ts';
import type { SchedulesRead } from '../capacity/schedules/due-holds.ts';
import type { ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { hasCode, required } from './errors.ts';

/** GetSchedule takes hundreds of calls a second (Scheduler quotas); a deployment has a dozen schedules. */
const readAtOnce = 10;
/** A schedule that changes twice within a second or two may not show it in its modification time. */
const settleMilliseconds = 60_000;

/**
 * Reads the schedules of a group. A later call reads only those that have changed, so a quiet one is a call for each hundred
 * schedules. One that cannot be read does not stop the others.
 *
 * @throws NoScheduleGroupError, or the error of AWS if the list fails.
 */
export function scheduleReader({ client, groupName, clock }: ScheduleGroup & { readonly clock: Clock }) {
  let known: ReadonlyMap<string, { readonly key: string; readonly record: ScheduleRecord }> = new Map();
  return async (): Promise<SchedulesRead> => {
    const summaries = await listSummaries({ client, groupName });
    const now = clock.now();
    const results = await inParts(summaries, readAtOnce, async (summary) => {
      const name = summary.Name ?? '';
      const key = keyOf(summary, now);
      const before = known.get(name);
      const record =
        before !== undefined && before.key === key
          ? before.record
          : await readSchedule({ client, groupName }, name);
      return { name, key, record };
    });
    // One that was deleted since the list has no record.
    const found = results.flatMap((result) =>
      result.status === 'fulfilled' && result.value.record
        ? [{ ...result.value, record: result.value.record }]
        : [],
    );
    known = new Map(
      found.flatMap(({ name, key, record }) => (key ? [[name, { key, record }] as const] : [])),
    );
    return {
      records: found.map(({ record }) => record),
      failures: results.flatMap((result, index) =>
        result.status === 'rejected'
          ? [{ name: summaries[index]?.Name ?? '', error: result.reason as unknown }]
          : [],
      ),
    };
  };
}

/**
 * Reads every schedule of a group, for an operator who asks for all of them.
 *
 * @throws NoScheduleGroupError, and the first failure to read one.
 */
export async function readSchedules(
  group: ScheduleGroup & { readonly clock: Clock },
): Promise<readonly ScheduleRecord[]> {
  const { records, failures } = await scheduleReader(group)();
  for (const { error } of failures) throw error;
  return records;
}

/** Ten thousand schedules. Beyond it, the pages have no end. */
const mostPages = 100;

/** What a schedule is known by; undefined while it may still change without a trace. */
function keyOf(
  { CreationDate, LastModificationDate, State }: ScheduleSummary,
  now: number,
): string | undefined {
  const modifiedAt = LastModificationDate?.getTime() ?? now;
  if (now - modifiedAt < settleMilliseconds) return undefined;
  return [CreationDate?.getTime(), modifiedAt, State].join(' ');
}

async function listSummaries({ client, groupName }: ScheduleGroup): Promise<readonly ScheduleSummary[]> {
  const summaries: ScheduleSummary[] = [];
  let next: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { Schedules, NextToken, $metadata } = await inGroup(groupName, () =>
      client.send(
        new ListSchedulesCommand({ GroupName: groupName, MaxResults: 100, ...(next && { NextToken: next }) }),
      ),
    );
    summaries.push(...required(Schedules, { name: 'Schedules', $metadata }));
    if (!NextToken) return summaries;
    next = NextToken;
  }
  throw new Error(`EventBridge Scheduler lists the schedules of ${groupName} without end`);
}

/** A schedule of the group; undefined if there is none of that name. */
export async function readSchedule(
  { client, groupName }: ScheduleGroup,
  name: string,
): Promise<ScheduleRecord | undefined> {
  const answer = await getSchedule({ client, groupName }, name);
  return answer && toScheduleRecord(answer);
}

export async function getSchedule(
  { client, groupName }: ScheduleGroup,
  name: string,
): Promise<GetScheduleOutput | undefined> {
  try {
    const { $metadata, ...answer } = await client.send(
      new GetScheduleCommand({ GroupName: groupName, Name: name }),
    );
    required(answer.ScheduleExpression, { name: 'ScheduleExpression', $metadata });
    return answer;
  } catch (error) {
    if (hasCode(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

/** A schedule as GetSchedule answers it. */
export const toScheduleRecord = (answer: GetScheduleOutput): ScheduleRecord => ({
  name: answer.Name ?? '',
  expression: answer.ScheduleExpression ?? '',
  timeZone: answer.ScheduleExpressionTimezone ?? 'UTC',
  enabled: answer.State !== 'DISABLED',
  input: answer.Target?.Input ?? '',
  ...(answer.StartDate && { startsAt: answer.StartDate.getTime() }),
  ...(answer.EndDate && { endsAt: answer.EndDate.getTime() }),
});

/** The schedule group of a cluster. */
export interface ScheduleGroup {
  readonly client: SchedulerClient;
  readonly groupName: string;
}

/** What the schedules of a group start, and the role with which Scheduler does it. */
export interface ScheduleTarget {
  readonly functionArn: string;
  readonly roleArn: string;
}

/** The tags in which the deployment names both. */
const functionTag = 'drover.dev/schedule-function';
const roleTag = 'drover.dev/schedule-role';

/**
 * The target of new schedules.
 *
 * @throws NoScheduleGroupError
 */
export async function readScheduleTarget({ client, groupName }: ScheduleGroup): Promise<ScheduleTarget> {
  const { Arn: arn, $metadata } = await inGroup(groupName, () =>
    client.send(new GetScheduleGroupCommand({ Name: groupName })),
  );
  const ResourceArn = required(arn, { name: 'Arn', $metadata });
  const { Tags = [] } = await client.send(new ListTagsForResourceCommand({ ResourceArn }));
  const tagged = (key: string): string | undefined => Tags.find(({ Key }) => Key === key)?.Value;
  const [functionArn, roleArn] = [tagged(functionTag), tagged(roleTag)];
  if (functionArn === undefined || roleArn === undefined) throw new NoScheduleGroupError(groupName);
  return { functionArn, roleArn };
}

/** The cluster has no schedule group of a deployment: that is missing, or older than schedules. */
export class NoScheduleGroupError extends Error {
  override readonly name = 'NoScheduleGroupError';

  constructor(groupName: string, options?: ErrorOptions) {
    super(
      `no deployment of Drover has made a schedule group ${groupName} in this account and region: check the cluster and the region, or deploy this version`,
      options,
    );
  }
}

/** @throws NoScheduleGroupError where Scheduler does not find the group. */
export async function inGroup<Answer>(groupName: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    if (hasCode(cause, 'ResourceNotFoundException')) throw new NoScheduleGroupError(groupName, { cause });
    throw cause;
  }
}
