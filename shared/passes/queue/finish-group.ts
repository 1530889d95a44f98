import type { Log } from '../../base/log.ts';
import { redactText } from '../../base/redact.ts';
import { hopOf, renewedBody } from '../message-format.ts';
import { backoffSeconds, longestWaitSeconds, type Outcome, waitSeconds } from '../outcome.ts';
import { chance, type OutgoingMessage, type QueueContext, type SendBatch } from '../queue.ts';
import type { QueueNotice, QueueRecord, SortedGroup } from './batch.ts';
import { acknowledge, type Disposition, keep } from './visibility.ts';

interface EndedGroup {
  /** Undefined if no pass ran, because no message was understood. */
  readonly outcome: Outcome | undefined;
  readonly longestWaitSeconds?: number | undefined;
}

/**
 * Decides what happens to every message of a group after its pass. It renews long-lived messages and parks those that can never be
 * understood.
 */
export async function finishGroup<Notice extends QueueNotice>(
  group: SortedGroup<Notice>,
  ended: EndedGroup,
  context: QueueContext,
): Promise<readonly Disposition[]> {
  const settled = await Promise.all([
    ...group.asking.map(({ record }) => settleAsking(record, ended, context)),
    ...group.newer.map((record) => renewOrKeep(record, longestWaitSeconds, context)),
    settlePoison(group, context),
  ]);
  // An absorbed message is not needed: the message with the same reason is kept, or its work is done.
  return [...settled.flat(), ...group.absorbed.map(({ record }) => acknowledge(record))];
}

const settleAsking = async (
  record: QueueRecord,
  { outcome, longestWaitSeconds: longest }: EndedGroup,
  context: QueueContext,
): Promise<Disposition> =>
  outcome?.status === 'again'
    ? await renewOrKeep(record, waitSeconds(outcome, longest), context)
    : acknowledge(record);

/** A message is acknowledged only if the dead-letter queue has accepted it. */
async function settlePoison<Notice extends QueueNotice>(
  { poison }: SortedGroup<Notice>,
  { queue, log, metrics, host }: QueueContext,
): Promise<readonly Disposition[]> {
  if (poison.length === 0) return [];
  const failures = await park(
    poison.map(({ record, reason }) => ({ ...record, reason })),
    queue.park,
  );
  const parked = poison.length - failures.length;
  if (parked > 0) metrics.put({ Parked: parked });
  return poison.map(({ record, reason }, index) => {
    const failure = failures.find((candidate) => candidate.index === index);
    const fields = { messageId: record.messageId, groupId: record.groupId, reason };
    if (failure === undefined) {
      log.warn('a message was not understood and is parked', fields);
      return acknowledge(record);
    }
    log.error('a message was not understood and could not be parked', failure.error, fields);
    return keep(record, backoffSeconds(record.receiveCount, chance(host)));
  });
}

/** SQS parks a message after 1,000 receives, the maximum of a redrive policy. */
const renewalReceiveCount = 900;

/**
 * Every hop is about 900 passes, so with the shortest waits 200 hops are more than two days. Lambda does not stop this recursion
 * (`RecursiveLoop: Allow`), so this limit does: the message is no longer renewed, and SQS parks it a hundred passes later, with an
 * alarm.
 */
export const mostHops = 200;

/**
 * Keeps a message, or replaces it by a fresh copy if it was received too often: first the copy is sent to the same group, then the
 * old message is acknowledged. If the invocation dies in between, both remain, and the next pass absorbs one of them.
 */
export async function renewOrKeep(
  record: QueueRecord,
  seconds: number,
  context: Pick<QueueContext, 'queue' | 'log'>,
): Promise<Disposition> {
  if (record.receiveCount < renewalReceiveCount) return keep(record, seconds);
  const hop = hopOf(record.body) + 1;
  if (hop > mostHops) {
    reportEndless(record, context.log);
    return keep(record, seconds);
  }
  const [failure] = await context.queue.send([freshCopy(record, hop)]);
  if (failure === undefined) return acknowledge(record);
  context.log.error('the fresh copy of a message could not be sent; the old one stays', failure.error);
  return keep(record, seconds);
}

/**
 * Every attempt has its own deduplication id. If two copies had the same id, SQS would drop the second even after another pass had
 * absorbed the first, and both would be lost.
 */
const freshCopy = (record: QueueRecord, hop: number): OutgoingMessage => ({
  body: renewedBody(record.body, hop),
  ...(record.groupId !== undefined && {
    groupId: record.groupId,
    deduplicationId: `renewed-${record.messageId}-${record.receiveCount}`,
  }),
});

function reportEndless({ messageId, groupId }: QueueRecord, log: Log): void {
  const error = new Error(
    `renewed ${mostHops} times: it is not renewed again, and the queue will park it; find out why this subject is never done`,
  );
  log.error('a message never ends', error, { messageId, groupId });
}

const longestReason = 256;
/** An SQS message has at most 1 MiB, with its attributes. */
const longestBody = 1_000_000;

/** A message on its way to the dead-letter queue. */
export interface Parcel {
  readonly messageId: string;
  readonly body: string;
  readonly reason: string;
  /** Present if the dead-letter queue is FIFO. */
  readonly groupId?: string;
}

/**
 * Sends messages for which a retry is useless to the dead-letter queue, with the reason as an attribute for the operator. If the
 * invocation dies here, a message is parked twice: a FIFO queue drops the second, a standard queue keeps both.
 */
export const park = (parcels: readonly Parcel[], send: SendBatch): ReturnType<SendBatch> =>
  send(parcels.map(toMessage));

const toMessage = ({ messageId, body, reason, groupId }: Parcel): OutgoingMessage => ({
  body: cut(body),
  attributes: { reason: attributeText(reason), originalMessageId: messageId },
  ...(groupId !== undefined && { groupId, deduplicationId: `parked-${messageId}` }),
});

const cut = (body: string): string => {
  const bytes = Buffer.from(body);
  return bytes.length <= longestBody ? body : bytes.subarray(0, longestBody).toString();
};

/** An attribute must not be empty or have control characters (SQS developer guide, "message attributes"). */
const attributeText = (reason: string): string =>
  redactText(reason)
    .replaceAll(/[^\P{C}]/gu, ' ')
    .slice(0, longestReason) || 'unknown';
