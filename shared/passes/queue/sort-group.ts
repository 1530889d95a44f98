import type { MessageReading, ReadMessage } from '../messages.ts';
import type { QueueRecord } from './record.ts';
import { type QueueNotice, type Subject, tightestDeadline } from './subject.ts';

export interface UnderstoodRecord<Notice> {
  readonly record: QueueRecord;
  readonly message: ReadMessage<Notice>;
}

/** The records of one message group, by what is to be done with them. */
export interface SortedGroup<Notice extends QueueNotice> {
  /** Absent where nothing was understood: no pass. */
  readonly subject?: Subject<Notice>;
  /** The earliest message of each reason. */
  readonly asking: readonly UnderstoodRecord<Notice>[];
  /** Messages with the same reason as one of `asking`. */
  readonly absorbed: readonly UnderstoodRecord<Notice>[];
  readonly newer: readonly QueueRecord[];
  readonly poison: readonly { readonly record: QueueRecord; readonly reason: string }[];
}

/** Records by message group, in the order in which they came. Without a group a message stands alone. */
export function groupRecords(records: readonly QueueRecord[]): readonly (readonly QueueRecord[])[] {
  return [...Map.groupBy(records, (record) => record.groupId ?? record.messageId).values()];
}

/** Reads a group's messages. A message about another subject than its group is poison: the group does not protect its subject. */
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
  return { kind: 'poison', reason: 'it stands in the message group of another subject than its own' };
}

/**
 * Keeps the earliest notice of each reason, since the drain timeout runs from it. Of a message and its fresh copy it keeps the
 * copy, which has been received less often.
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
