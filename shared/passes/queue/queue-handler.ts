import type { SQSBatchResponse } from 'aws-lambda';
import type { LambdaHandler } from '../../base/lambda.ts';
import type { MessageReading } from '../message-format.ts';
import { again, backoffSeconds, type Outcome } from '../outcome.ts';
import { chance, type QueueContext } from '../queue.ts';
import { unlessTimeIsUp } from '../time-is-up.ts';
import {
  groupRecords,
  type QueueNotice,
  readBatch,
  type SortedGroup,
  type Subject,
  sortGroup,
} from './batch.ts';
import { finishGroup } from './finish-group.ts';
import { reportPass } from './pass-report.ts';
import { type Disposition, hideMessages, shortenVisibility, urgentRecords } from './visibility.ts';

interface QueueHandlerOptions<Notice extends QueueNotice> extends QueueContext {
  /** The name of the work in log lines, e.g. `node-leaving`. */
  readonly work: string;
  /** Reads the body of a message; never throws. */
  readonly read: (body: string) => MessageReading<Notice>;
  readonly pass: Pass<Notice>;
  /** The longest time that a message stays hidden. Defaults to 20 s, so that no spot warning has to wait behind it. */
  readonly longestWaitSeconds?: number;
}

/**
 * The handler of a queue of passes. It runs one pass for each subject of the batch, all at the same time. After `done` Lambda deletes
 * the messages of the subject. After `again` they are hidden for that long and reported as batch item failures, so that the very same
 * messages return.
 *
 * The handler rejects only if the event is not a batch (NotABatchError): if it rejected because every record failed, Lambda would
 * reduce its polling. It may be killed after any call: docs/adr/0006-the-pass-loop.md explains why that is safe.
 */
export function createQueueHandler<Notice extends QueueNotice>(
  options: QueueHandlerOptions<Notice>,
): LambdaHandler<unknown, SQSBatchResponse> {
  return async (event, context) => {
    const groups = groupRecords(readBatch(event)).map((records) => sortGroup(records, options.read));
    const now = options.host.clock.now();
    await shortenVisibility(urgentRecords(groups, context, now), context, options);
    const signal = context.signal ?? new AbortController().signal;
    const settled = await Promise.all(groups.map((group) => workOn(group, signal, options)));
    const dispositions = settled.flat();
    await hideMessages(dispositions, options);
    return { batchItemFailures: dispositions.filter(({ keep }) => keep).map(toFailure) };
  };
}

async function workOn<Notice extends QueueNotice>(
  group: SortedGroup<Notice>,
  signal: AbortSignal,
  options: QueueHandlerOptions<Notice>,
): Promise<readonly Disposition[]> {
  const outcome = group.subject && (await runPass({ ...group, subject: group.subject }, signal, options));
  for (const { messageId, groupId } of group.newer)
    options.log.warn('a message of a newer version is kept for a newer Drover', { messageId, groupId });
  return await finishGroup(group, { outcome, longestWaitSeconds: options.longestWaitSeconds }, options);
}

const toFailure = ({ record }: Disposition) => ({ itemIdentifier: record.messageId });

/**
 * One pass: it does what can be done now for the subject. A pass that throws is tried again until it succeeds. The signal is aborted
 * when the time of the invocation is up: the batch is then answered without waiting for the pass.
 */
export type Pass<Notice extends QueueNotice> = (
  subject: Subject<Notice>,
  signal: AbortSignal,
) => Promise<Outcome>;

/** Runs the pass for the subject of a group and reports it. Never rejects: the outcome of a failed pass is `again`, with a backoff. */
async function runPass<Notice extends QueueNotice>(
  { subject, asking, absorbed }: SortedGroup<Notice> & { readonly subject: Subject<Notice> },
  signal: AbortSignal,
  options: QueueHandlerOptions<Notice>,
): Promise<Outcome> {
  const { work, pass, host } = options;
  const records = [...asking, ...absorbed].map(({ record }) => record);
  const isTimer = options.longestWaitSeconds !== undefined;
  const ended = { work, subject, records, startedAt: host.clock.now(), isTimer };
  try {
    const outcome = await unlessTimeIsUp(pass(subject, signal), signal);
    reportPass({ ...ended, outcome }, options);
    return outcome;
  } catch (error) {
    const receiveCount = Math.max(...records.map((record) => record.receiveCount));
    const seconds = backoffSeconds(receiveCount, chance(host));
    const outcome = again(seconds, 'the pass failed and is tried again');
    reportPass({ ...ended, outcome, error }, options);
    return outcome;
  }
}
