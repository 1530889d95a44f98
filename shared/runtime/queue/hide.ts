import type { ChangeVisibilityBatch, VisibilityChange } from '../../lifecycle/queue.ts';
import type { Log } from '../log.ts';
import type { Settlement } from './settlement.ts';

/**
 * Hides every kept message for its time: the last call before the answer, for from here on nothing of this invocation may
 * act. What fails is tried once more; what fails again comes back by the queue's own visibility timeout, later than it
 * should but surely.
 */
export async function hide(
  settlements: readonly Settlement[],
  { queue, log }: { readonly queue: { readonly changeVisibility: ChangeVisibilityBatch }; readonly log: Log },
): Promise<void> {
  const changes = settlements.flatMap((settlement): VisibilityChange[] =>
    settlement.keep ? [{ receiptHandle: settlement.record.receiptHandle, seconds: settlement.seconds }] : [],
  );
  const failed = await attempt(changes, queue.changeVisibility);
  for (const failure of await attempt(
    failed.map(({ change }) => change),
    queue.changeVisibility,
  ))
    log.error('a message could not be hidden; it comes back by the timeout of its queue', failure.error);
}

async function attempt(
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
