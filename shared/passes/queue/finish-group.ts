import type { Outcome } from '../outcome.ts';
import { acknowledge, type Disposition, keep } from './disposition.ts';
import { park } from './parking.ts';
import { chance, type QueueContext } from './queue-context.ts';
import type { QueueRecord } from './record.ts';
import { renewOrKeep } from './renewal.ts';
import { backoffSeconds, newerSeconds, waitSeconds } from './retry-delay.ts';
import type { SortedGroup } from './sort-group.ts';
import type { QueueNotice } from './subject.ts';

/** Decides what happens to every message of a group after its pass. `outcome` is absent where no message was understood. */
export async function finishGroup<Notice extends QueueNotice>(
  group: SortedGroup<Notice>,
  outcome: Outcome | undefined,
  context: QueueContext,
): Promise<readonly Disposition[]> {
  const settled = await Promise.all([
    ...group.asking.map(({ record }) => settleAsking(record, outcome, context)),
    ...group.newer.map((record) => renewOrKeep(record, newerSeconds, context)),
    settlePoison(group, context),
  ]);
  // Another message with the same reason either stays or is done.
  return [...settled.flat(), ...group.absorbed.map(({ record }) => acknowledge(record))];
}

const settleAsking = async (
  record: QueueRecord,
  outcome: Outcome | undefined,
  context: QueueContext,
): Promise<Disposition> =>
  outcome?.status === 'again'
    ? await renewOrKeep(record, waitSeconds(outcome), context)
    : acknowledge(record);

/** A message is acknowledged only once the dead-letter queue has it. */
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
