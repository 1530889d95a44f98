import type { Log } from '../../base/log.ts';
import { hopOf, renewedBody } from '../messages.ts';
import type { OutgoingMessage } from '../queue.ts';
import { acknowledge, type Disposition, keep } from './disposition.ts';
import type { QueueContext } from './queue-context.ts';
import type { QueueRecord } from './record.ts';

/** A FIFO queue parks a message after 1,000 receives, the most that a redrive policy takes. */
const renewalReceiveCount = 900;

/**
 * Every hop is some 900 passes: at the shortest wait this is more than two days. Lambda is told not to stop the recursion
 * (`RecursiveLoop: Allow`), so this is what ends one that nothing else ends: the message is no longer renewed, and SQS parks
 * it, with its alarm, a hundred passes later.
 */
export const mostHops = 200;

/**
 * Replaces a kept message that was received too often: first the fresh copy is sent to the same group, then the old message is
 * acknowledged. If the invocation dies in between, both remain and the next pass absorbs one of them.
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
 * Every try has its own id. With the same id SQS would drop the second copy because of a first one that another pass may have
 * absorbed meanwhile, and both would be gone.
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
    `renewed ${mostHops} times: it is not renewed again, and the queue will park it; look why this subject never ends`,
  );
  log.error('a message has no end', error, { messageId, groupId });
}
