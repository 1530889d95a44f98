import {
  GetScheduleCommand,
  type GetScheduleOutput,
  ListSchedulesCommand,
  type ScheduleSummary,
} from '@aws-sdk/client-scheduler';
import type { Clock } from '../base/clock.ts';
import { inParts } from '../base/in-parts.ts';
import type { ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { hasCode } from './errors.ts';
import { inGroup, type ScheduleGroup } from './schedule-group.ts';
import { required } from './unreadable-answer.ts';

/** GetSchedule takes hundreds of calls a second (Scheduler quotas); a deployment has a dozen schedules. */
const readAtOnce = 10;
/** A schedule that changes twice within a second or two may not show it in its modification time. */
const settleMilliseconds = 60_000;

/**
 * Reads the schedules of a group. A later call reads only those that have changed, so a quiet one is a call for each hundred
 * schedules.
 *
 * @throws NoScheduleGroupError
 */
export function scheduleReader({ client, groupName, clock }: ScheduleGroup & { readonly clock: Clock }) {
  let known: ReadonlyMap<string, { readonly key: string; readonly record: ScheduleRecord }> = new Map();
  return async (): Promise<readonly ScheduleRecord[]> => {
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
    const read = results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    // One that was deleted since the list has no record.
    const found = read.flatMap(({ name, key, record }) => (record ? [{ name, key, record }] : []));
    known = new Map(
      found.flatMap(({ name, key, record }) => (key ? [[name, { key, record }] as const] : [])),
    );
    return found.map(({ record }) => record);
  };
}

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
  do {
    const { Schedules, NextToken, $metadata } = await inGroup(groupName, () =>
      client.send(
        new ListSchedulesCommand({ GroupName: groupName, MaxResults: 100, ...(next && { NextToken: next }) }),
      ),
    );
    summaries.push(...required(Schedules, { name: 'Schedules', $metadata }));
    next = NextToken;
  } while (next);
  return summaries;
}

/** A schedule of the group; undefined if there is none of that name. */
export async function readSchedule(
  { client, groupName }: ScheduleGroup,
  name: string,
): Promise<ScheduleRecord | undefined> {
  const answer = await getSchedule({ client, groupName }, name);
  return answer && toRecord(answer);
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

const toRecord = (answer: GetScheduleOutput): ScheduleRecord => ({
  name: answer.Name ?? '',
  expression: answer.ScheduleExpression ?? '',
  timeZone: answer.ScheduleExpressionTimezone ?? 'UTC',
  enabled: answer.State !== 'DISABLED',
  input: answer.Target?.Input ?? '',
  ...(answer.StartDate && { startsAt: answer.StartDate.getTime() }),
  ...(answer.EndDate && { endsAt: answer.EndDate.getTime() }),
});
