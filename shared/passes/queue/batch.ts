import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import type { MessageReading, ReadMessage } from '../message-format.ts';

const count = () => z.string().check(z.regex(/^\d{1,15}$/));

const recordSchema = () =>
  z.object({
    messageId: z.string(),
    receiptHandle: z.string(),
    body: z.string(),
    attributes: z.object({
      ApproximateReceiveCount: count(),
      ApproximateFirstReceiveTimestamp: count(),
      SentTimestamp: count(),
      MessageGroupId: z.optional(z.string()),
    }),
  });

const batchSchema = lazily(() => z.object({ Records: z.array(recordSchema()).check(z.minLength(1)) }));

/** A received message. Times are epoch milliseconds. */
export interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly receiveCount: number;
  readonly firstReceivedAt: number;
  readonly sentAt: number;
  readonly groupId?: string;
}

/** The function was invoked with an event that is not a batch of SQS messages. */
export class NotABatchError extends Error {
  override readonly name = 'NotABatchError';
}

/**
 * The records of a batch, as Lambda's event source mapping delivers them.
 *
 * @throws NotABatchError if the event is not a batch. The message names the field and repeats no values.
 */
export function readBatch(event: unknown): readonly QueueRecord[] {
  const batch = z.safeParse(batchSchema(), event);
  if (!batch.success)
    throw new NotABatchError(
      `the event is not a batch of SQS messages (${describeIssues(batch.error)}); invoke the function through its queue`,
    );
  return batch.data.Records.map(toRecord);
}

function toRecord({ attributes, ...record }: z.infer<ReturnType<typeof recordSchema>>): QueueRecord {
  return {
    ...record,
    receiveCount: Number(attributes.ApproximateReceiveCount),
    firstReceivedAt: Number(attributes.ApproximateFirstReceiveTimestamp),
    sentAt: Number(attributes.SentTimestamp),
    ...(attributes.MessageGroupId !== undefined && { groupId: attributes.MessageGroupId }),
  };
}

/** The part that notices of all kinds of work have in common. Times are ISO 8601 in UTC. */
export interface QueueNotice {
  readonly cause: string;
  readonly noticedAt: string;
  readonly deadline?: string | undefined;
  /** The group that the work is about, if it is not about an instance. */
  readonly autoScalingGroupName?: string;
}

/** What one pass is about, with all notices that arrived together, each reason once. */
export interface Subject<Notice extends QueueNotice> {
  readonly id: string;
  /** At least one. If two have the same reason, only the earlier. */
  readonly notices: readonly Notice[];
  /** The earliest deadline of the notices, in epoch milliseconds; absent if none has a deadline. */
  readonly deadline?: number;
  /** Whether one of its messages was received before. */
  readonly redelivered: boolean;
  /** The highest receive count of its messages, this time included. */
  readonly receiveCount: number;
}

/** The earliest deadline of these notices, in epoch milliseconds. */
export function tightestDeadline(notices: readonly QueueNotice[]): number | undefined {
  const deadlines = notices.flatMap(({ deadline }) => (deadline === undefined ? [] : [Date.parse(deadline)]));
  return deadlines.length === 0 ? undefined : Math.min(...deadlines);
}

interface UnderstoodRecord<Notice> {
  readonly record: QueueRecord;
  readonly message: ReadMessage<Notice>;
}

/** The records of one message group, by what happens to them. */
export interface SortedGroup<Notice extends QueueNotice> {
  /** Absent if no message was understood: no pass runs. */
  readonly subject?: Subject<Notice>;
  /** The earliest message of each reason. */
  readonly asking: readonly UnderstoodRecord<Notice>[];
  /** Messages with the same reason as one of `asking`. */
  readonly absorbed: readonly UnderstoodRecord<Notice>[];
  readonly newer: readonly QueueRecord[];
  readonly poison: readonly { readonly record: QueueRecord; readonly reason: string }[];
}

/** The records by message group, in the order in which they arrived. A message without a group is a group of its own. */
export function groupRecords(records: readonly QueueRecord[]): readonly (readonly QueueRecord[])[] {
  return [...Map.groupBy(records, (record) => record.groupId ?? record.messageId).values()];
}

/** Reads the messages of a group. A message about another subject is poison: its subject could have two passes at the same time. */
export function sortGroup<Notice extends QueueNotice>(
  records: readonly QueueRecord[],
  read: (body: string) => MessageReading<Notice>,
): SortedGroup<Notice> {
  const readings = records.map((record) => ({ record, reading: checkGroup(record, read(record.body)) }));
  const understood = readings.flatMap(({ record, reading }) =>
    reading.kind === 'message' ? [{ record, message: reading.message }] : [],
  );
  const asking = earliestOfEach(understood);
  const id = asking[0]?.message.subject;
  return {
    ...(id !== undefined && { subject: subjectOf(id, asking) }),
    asking,
    absorbed: understood.filter((item) => !asking.includes(item)),
    newer: readings.flatMap(({ record, reading }) => (reading.kind === 'newer' ? [record] : [])),
    poison: readings.flatMap(({ record, reading }) =>
      reading.kind === 'poison' ? [{ record, reason: reading.reason }] : [],
    ),
  };
}

function checkGroup<Notice>(
  { groupId }: QueueRecord,
  reading: MessageReading<Notice>,
): MessageReading<Notice> {
  if (reading.kind !== 'message' || groupId === undefined || groupId === reading.message.subject)
    return reading;
  return { kind: 'poison', reason: 'it is in the message group of another subject' };
}

/**
 * The earliest message of each reason, because the drain timeout starts with it. If a message and its fresh copy arrive together,
 * this is the copy, which was received less often.
 */
function earliestOfEach<Notice extends QueueNotice>(
  understood: readonly UnderstoodRecord<Notice>[],
): readonly UnderstoodRecord<Notice>[] {
  const byTime = understood.toSorted(
    (one, other) => noticedAt(one) - noticedAt(other) || one.record.receiveCount - other.record.receiveCount,
  );
  const kept = [...Map.groupBy(byTime, ({ message }) => message.reasonKey).values()].map(([first]) => first);
  return understood.filter((item) => kept.includes(item));
}

const noticedAt = ({ message }: UnderstoodRecord<QueueNotice>): number =>
  Date.parse(message.notice.noticedAt);

function subjectOf<Notice extends QueueNotice>(
  id: string,
  asking: readonly UnderstoodRecord<Notice>[],
): Subject<Notice> {
  const notices = asking.map(({ message }) => message.notice);
  const deadline = tightestDeadline(notices);
  const receiveCount = Math.max(...asking.map(({ record }) => record.receiveCount));
  return {
    id,
    notices,
    redelivered: receiveCount > 1,
    receiveCount,
    ...(deadline !== undefined && { deadline }),
  };
}
