import type { LambdaContext } from '../../base/lambda.ts';
import type { QueueContext } from './queue-context.ts';
import type { QueueRecord } from './record.ts';
import type { SortedGroup } from './sort-group.ts';
import type { QueueNotice } from './subject.ts';

/** At most so many function timeouts is the visibility timeout of a queue in deploy/queues.yml. */
const visibilityInTimeouts = 6;
/** After the function's own end, so that no second invocation begins while the first may still act. */
const marginSeconds = 5;

interface Queue {
  readonly log: QueueContext['log'];
  readonly queue: Pick<QueueContext['queue'], 'changeVisibility'>;
}

/**
 * The messages of a killed invocation come back when the visibility timeout of their queue is over, which may be too late: a spot
 * instance has two minutes, the queues two and three. So urgent messages become visible as soon as this invocation can no longer
 * act. One call for ten messages; if it fails, the work goes on.
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
    log.error('an urgent message comes back later than it should if this invocation is killed', error);
}

/** The messages of subjects whose deadline is nearer than their queue would bring them back. */
export function urgentRecords<Notice extends QueueNotice>(
  groups: readonly SortedGroup<Notice>[],
  context: LambdaContext,
  now: number,
): readonly QueueRecord[] {
  const tooLate = now + context.getRemainingTimeInMillis() * visibilityInTimeouts;
  return groups.filter(({ subject }) => (subject?.deadline ?? Infinity) < tooLate).flatMap(recordsOf);
}

/** All of them: a FIFO group stays closed while one of its messages is hidden. */
const recordsOf = <Notice extends QueueNotice>({ asking, absorbed, newer, poison }: SortedGroup<Notice>) => [
  ...[...asking, ...absorbed, ...poison].map(({ record }) => record),
  ...newer,
];
