import type { LambdaContext } from '../../base/lambda.ts';
import type { Log } from '../../base/log.ts';
import type { ChangeVisibilityBatch, QueueContext, VisibilityChange } from '../queue.ts';
import type { QueueNotice, QueueRecord, SortedGroup } from './batch.ts';

/** What happens to one message: Lambda deletes it, or it is kept and hidden for this many seconds. */
export type Disposition =
  | { readonly record: QueueRecord; readonly keep: false }
  | { readonly record: QueueRecord; readonly keep: true; readonly seconds: number };

export const acknowledge = (record: QueueRecord): Disposition => ({ record, keep: false });

export const keep = (record: QueueRecord, seconds: number): Disposition => ({ record, keep: true, seconds });

/** In deploy/queues.yml, the visibility timeout of a queue is at most this many times the timeout of its function. */
const visibilityInTimeouts = 6;
/** After the timeout of the function, so that no second invocation begins while the first may still act. */
const marginSeconds = 5;

interface Queue {
  readonly log: QueueContext['log'];
  readonly queue: Pick<QueueContext['queue'], 'changeVisibility'>;
}

/**
 * If an invocation is killed, its messages return after the visibility timeout of their queue. That may be too late: a spot instance
 * has two minutes, and the queues have timeouts of two and three. So urgent messages become visible as soon as this invocation can
 * no longer act. It takes one call for ten messages; if the call fails, the work continues.
 */
export async function shortenVisibility(
  urgent: readonly QueueRecord[],
  context: LambdaContext,
  { queue, log }: Queue,
): Promise<void> {
  if (urgent.length === 0) return;
  const seconds = Math.ceil(context.getRemainingTimeInMillis() / 1000) + marginSeconds;
  const changes = urgent.map(({ receiptHandle }) => ({ receiptHandle, seconds }));
  for (const { error } of await queue.changeVisibility(changes))
    log.error('an urgent message returns later than it should if this invocation is killed', error);
}

/** The messages of subjects whose deadline is before the end of the visibility timeout. */
export function urgentRecords<Notice extends QueueNotice>(
  groups: readonly SortedGroup<Notice>[],
  context: LambdaContext,
  now: number,
): readonly QueueRecord[] {
  const tooLate = now + context.getRemainingTimeInMillis() * visibilityInTimeouts;
  return groups.filter(({ subject }) => (subject?.deadline ?? Infinity) < tooLate).flatMap(recordsOf);
}

/** All messages of the group: SQS delivers none of a FIFO group while one of them is hidden. */
const recordsOf = <Notice extends QueueNotice>({ asking, absorbed, newer, poison }: SortedGroup<Notice>) => [
  ...[...asking, ...absorbed, ...poison].map(({ record }) => record),
  ...newer,
];

/**
 * Hides every kept message for its time. This is the last call before the answer: no work of this invocation may act after it. A
 * change that fails is tried once more. A message that still cannot be hidden returns after the visibility timeout of its queue,
 * which is later than it should.
 */
export async function hideMessages(
  dispositions: readonly Disposition[],
  { queue, log }: { readonly queue: { readonly changeVisibility: ChangeVisibilityBatch }; readonly log: Log },
): Promise<void> {
  const changes = dispositions.flatMap((disposition): VisibilityChange[] =>
    disposition.keep
      ? [{ receiptHandle: disposition.record.receiptHandle, seconds: disposition.seconds }]
      : [],
  );
  const failed = await tryChanges(changes, queue.changeVisibility);
  for (const failure of await tryChanges(
    failed.map(({ change }) => change),
    queue.changeVisibility,
  ))
    log.error('a message could not be hidden; it returns after the timeout of its queue', failure.error);
}

async function tryChanges(
  changes: readonly VisibilityChange[],
  changeVisibility: ChangeVisibilityBatch,
): Promise<readonly { readonly change: VisibilityChange; readonly error: Error }[]> {
  if (changes.length === 0) return [];
  const failures = await changeVisibility(changes);
  return failures.flatMap(({ index, error }) => {
    const change = changes[index];
    return change === undefined ? [] : [{ change, error }];
  });
}
