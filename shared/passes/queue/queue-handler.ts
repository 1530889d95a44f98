import type { SQSBatchResponse } from 'aws-lambda';
import type { LambdaHandler } from '../../base/lambda.ts';
import type { MessageReading } from '../messages.ts';
import type { Disposition } from './disposition.ts';
import { finishGroup } from './finish-group.ts';
import { hideMessages } from './hide-messages.ts';
import type { QueueContext } from './queue-context.ts';
import { readBatch } from './record.ts';
import { type Pass, runPass } from './run-pass.ts';
import { shortenVisibility, urgentRecords } from './shorten-visibility.ts';
import { groupRecords, type SortedGroup, sortGroup } from './sort-group.ts';
import type { QueueNotice } from './subject.ts';

export interface QueueHandlerOptions<Notice extends QueueNotice> extends QueueContext {
  /** The name of the work in log lines, e.g. `node-leaving`. */
  readonly work: string;
  /** Reads a message's body; never throws. */
  readonly read: (body: string) => MessageReading<Notice>;
  readonly pass: Pass<Notice>;
  /** Begins what runs beside the passes of a batch. It is ended, and awaited, when the last pass has ended. */
  readonly beside?: (
    subjects: readonly string[],
    signal: AbortSignal,
  ) => { readonly end: () => Promise<void> };
  /** A pass that failed is tried again after so many seconds at most. Absent: only the backoff counts. */
  readonly retryWithinSeconds?: (subject: string) => number;
}

/**
 * The batch loop of a queue of passes: one pass for each subject, side by side; then `done` lets its messages go, and
 * `again` hides them for that long and reports them as batch item failures, so that the very same messages come back.
 *
 * The handler rejects only for what is no batch at all (NotABatchError): a loop that throws when every record failed would
 * make Lambda cut its polling. Why it is safe to be killed after any call: docs/adr/0006-the-pass-loop.md.
 */
export function createQueueHandler<Notice extends QueueNotice>(
  options: QueueHandlerOptions<Notice>,
): LambdaHandler<unknown, SQSBatchResponse> {
  return async (event, context) => {
    const groups = groupRecords(readBatch(event)).map((records) => sortGroup(records, options.read));
    const now = options.host.clock.now();
    await shortenVisibility(urgentRecords(groups, context, now), context, options);
    const signal = context.signal ?? new AbortController().signal;
    const beside = options.beside?.(
      groups.flatMap(({ subject }) => subject?.id ?? []),
      signal,
    );
    const settled = await Promise.all(groups.map((group) => workOn(group, signal, options)));
    await beside?.end();
    const dispositions = settled.flat();
    await hideMessages(dispositions, options);
    return { batchItemFailures: dispositions.filter(({ keep }) => keep).map(toFailure) };
  };
}

async function workOn<Notice extends QueueNotice>(
  group: SortedGroup<Notice>,
  signal: AbortSignal,
  { work, pass, retryWithinSeconds, ...context }: QueueHandlerOptions<Notice>,
): Promise<readonly Disposition[]> {
  const { subject } = group;
  const outcome =
    subject && (await runPass({ work, subject, group, pass, signal, context, retryWithinSeconds }));
  for (const { messageId, groupId } of group.newer)
    context.log.warn('a message of a newer version is kept for a newer Drover', { messageId, groupId });
  return await finishGroup(group, outcome, context);
}

const toFailure = ({ record }: Disposition) => ({ itemIdentifier: record.messageId });
