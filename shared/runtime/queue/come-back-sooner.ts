import type { LambdaContext } from '../lambda.ts';
import type { QueueWorld } from './queue-world.ts';
import type { SortedGroup } from './sort-group.ts';
import type { QueueNotice } from './subject.ts';

/** AWS's advice for queues of functions, which deploy/queues.yml follows: the visibility timeout is six function timeouts. */
const visibilityInTimeouts = 6;
/** Beyond the function's own end, so that no second pass begins while the first may still act. */
const marginSeconds = 5;

/**
 * A pass that is killed comes back when its queue's visibility timeout is over, which may be after the deadline: a spot
 * instance has two minutes, the queue three. So the messages of subjects whose deadline is nearer than that are made to come
 * back as soon as this invocation can no longer act. One call (for ten messages), and only for such subjects; where it fails
 * the pass goes on as it would have without.
 */
export async function comeBackSooner<Notice extends QueueNotice>(
  groups: readonly SortedGroup<Notice>[],
  context: LambdaContext,
  { queue, log, host }: Pick<QueueWorld, 'queue' | 'log' | 'host'>,
): Promise<void> {
  const remaining = context.getRemainingTimeInMillis();
  const tooLate = host.clock.now() + remaining * visibilityInTimeouts;
  const urgent = groups.filter(({ subject }) => (subject?.deadline ?? Infinity) < tooLate);
  if (urgent.length === 0) return;
  const seconds = Math.ceil(remaining / 1000) + marginSeconds;
  const changes = urgent.flatMap(recordsOf).map(({ receiptHandle }) => ({ receiptHandle, seconds }));
  for (const { error } of await queue.changeVisibility(changes))
    log.error('a message with a near deadline comes back later than it should if this pass is killed', error);
}

/** All of them: a FIFO group stays closed while one of its messages is hidden. */
const recordsOf = <Notice extends QueueNotice>({ asking, absorbed, newer, poison }: SortedGroup<Notice>) => [
  ...[...asking, ...absorbed, ...poison].map(({ record }) => record),
  ...newer,
];
