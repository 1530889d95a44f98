import type { SQSBatchResponse } from 'aws-lambda';
import type { LambdaHandler } from '../base/lambda.ts';
import { backoffSeconds, longestInboxWaitSeconds, longestWaitSeconds } from '../passes/outcome.ts';
import type { QueueRecord } from '../passes/queue/batch.ts';
import { park } from '../passes/queue/finish-group.ts';
import {
  acknowledge,
  type Disposition,
  hideMessages,
  keep,
  shortenVisibility,
} from '../passes/queue/visibility.ts';
import { chance, type QueueContext } from '../passes/queue.ts';
import { unlessTimeIsUp } from '../passes/time-is-up.ts';
import { type Arrival, arrivalsOf, readInvocation } from './arrivals.ts';
import { type IntakeReport, reportIntake } from './intake-report.ts';

interface InboxHandlerOptions extends Omit<QueueContext, 'queue'> {
  readonly queue: Pick<QueueContext['queue'], 'changeVisibility' | 'park'>;
  readonly takeIn: (arrivals: readonly Arrival[], signal: AbortSignal) => Promise<IntakeReport>;
}

/** A direct invocation failed. It has no message that could return, so Lambda must try it again. */
class IntakeError extends AggregateError {
  override readonly name = 'IntakeError';
}

/**
 * The handler of intake. Arrivals that failed are reported to Lambda and return after a backoff. Arrivals that cannot be understood
 * are parked at once, with the reason.
 *
 * @throws NotABatchError if the event has records from another source; IntakeError if the event of a direct invocation failed.
 */
export function createInboxHandler(options: InboxHandlerOptions): LambdaHandler<unknown, SQSBatchResponse> {
  return async (event, context) => {
    const invocation = readInvocation(event);
    if (invocation.kind === 'batch')
      await shortenVisibility(invocation.records.filter(isUrgent), context, options);

    const arrivals = arrivalsOf(invocation, options.host.clock.now());
    const signal = context.signal ?? new AbortController().signal;
    const report = await takeInInTime(arrivals, signal, options);
    const unparked = await parkPoison(arrivals, report, options);
    const failed = new Map([...report.failed, ...unparked]);
    reportIntake({ arrivals: arrivals.length, report, failed }, options);
    for (const key of report.postponed) failed.set(key, new Error('too many instances leave in a hurry'));
    if (invocation.kind === 'batch') return await answerBatch(invocation.records, failed, options);
    if (failed.size > 0) throw new IntakeError([...failed.values()], 'the event could not be taken in');
    return { batchItemFailures: [] };
  };
}

/** If the time of the invocation is up first, every arrival has failed and returns. */
async function takeInInTime(
  arrivals: readonly Arrival[],
  signal: AbortSignal,
  { takeIn }: InboxHandlerOptions,
): Promise<IntakeReport> {
  try {
    return await unlessTimeIsUp(takeIn(arrivals, signal), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const failure = error instanceof Error ? error : new Error(String(error));
    const failed = new Map(arrivals.map(({ key }) => [key, failure]));
    return { sent: [], woken: [], leftAlone: [], poison: [], postponed: [], failed };
  }
}

/** Only these events give two minutes or less. The same text in another event costs one unnecessary call. */
const isUrgent = ({ body }: QueueRecord): boolean =>
  /EC2 (?:Spot|Capacity Reservation) Instance Interruption Warning/.test(body);

const longestWaitOf = (record: QueueRecord): number =>
  isUrgent(record) ? longestWaitSeconds : longestInboxWaitSeconds;

async function parkPoison(
  arrivals: readonly Arrival[],
  { poison }: IntakeReport,
  { queue }: InboxHandlerOptions,
): Promise<readonly [string, Error][]> {
  if (poison.length === 0) return [];
  const bodies = new Map(arrivals.map(({ key, text }) => [key, text]));
  const parcels = poison.map(({ key, reason }) => ({
    messageId: key,
    body: bodies.get(key) || '(empty)',
    reason,
  }));
  const failures = await park(parcels, queue.park);
  return failures.flatMap(({ index, error }): [string, Error][] => {
    const key = poison[index]?.key;
    return key === undefined ? [] : [[key, new Error('it could not be parked', { cause: error })]];
  });
}

async function answerBatch(
  records: readonly QueueRecord[],
  failed: ReadonlyMap<string, Error>,
  { queue, log, host }: InboxHandlerOptions,
): Promise<SQSBatchResponse> {
  const dispositions = records.map(
    (record): Disposition =>
      failed.has(record.messageId)
        ? keep(record, backoffSeconds(record.receiveCount, chance(host), longestWaitOf(record)))
        : acknowledge(record),
  );
  await hideMessages(dispositions, { queue, log });
  return { batchItemFailures: [...failed.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
}
