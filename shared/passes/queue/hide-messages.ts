import type { Log } from '../../base/log.ts';
import type { ChangeVisibilityBatch, VisibilityChange } from '../queue.ts';
import type { Disposition } from './disposition.ts';

/**
 * Hides every kept message for its time. This is the last call before the answer: after it, no work of this invocation may
 * act. A change that fails is tried once more. A message that cannot be hidden comes back by the visibility timeout of its
 * queue, later than it should.
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
    log.error('a message could not be hidden; it comes back by the timeout of its queue', failure.error);
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
