import { AwsError } from '../service.ts';
import { checkRange, invalidValue, missingParameter } from './errors.ts';
import { stateOf } from './message.ts';
import type { Queue } from './queue.ts';
import { messageIdOf, refuseExpired } from './receipt-handle.ts';
import { removeMessage, type SqsWorld } from './world.ts';

const maximumVisibilitySeconds = 43_200;

export interface VisibilityChange {
  readonly handle: string | undefined;
  readonly timeoutSeconds: number | undefined;
}

/**
 * ChangeMessageVisibility: the message in flight becomes visible that many seconds from now. "A message has a total
 * visibility timeout of 12 hours from when ReceiveMessage returns it": a change beyond is refused.
 */
export function changeVisibility(world: SqsWorld, queue: Queue, change: VisibilityChange): void {
  const { handle, timeoutSeconds } = change;
  if (handle === undefined) throw missingParameter('ReceiptHandle');
  if (timeoutSeconds === undefined) throw missingParameter('VisibilityTimeout');
  checkRange('VisibilityTimeout', timeoutSeconds, [0, maximumVisibilitySeconds]);
  const message = queue.messages.get(messageIdOf(queue, handle));
  if (message === undefined) {
    throw invalidValue(
      'ReceiptHandle',
      handle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  }
  const now = world.clock.now();
  refuseExpired(queue, { message, handle, now });
  if (stateOf(message, now) !== 'in-flight' || message.receiptHandle !== handle) {
    throw new AwsError({ code: 'MessageNotInflight', message: 'The specified message is not in flight.' });
  }
  const visibleAt = now + timeoutSeconds * 1000;
  if (visibleAt > (message.lastReceivedAt ?? now) + maximumVisibilitySeconds * 1000) {
    const reason = 'Total VisibilityTimeout for the message is beyond the limit [43200 seconds]';
    throw invalidValue('VisibilityTimeout', timeoutSeconds, reason);
  }
  message.visibleAt = visibleAt;
  world.announceLater(queue, message);
}

/**
 * DeleteMessage. Deleting what is gone succeeds. On a standard queue an older handle succeeds and deletes nothing; on a
 * FIFO queue an expired one is refused.
 */
export function deleteMessage(world: SqsWorld, queue: Queue, handle: string | undefined): void {
  if (handle === undefined) throw missingParameter('ReceiptHandle');
  const message = queue.messages.get(messageIdOf(queue, handle));
  if (message === undefined) return;
  refuseExpired(queue, { message, handle, now: world.clock.now() });
  if (message.receiptHandle !== handle) return;
  removeMessage(queue, message);
  if (queue.fifo) world.announce(queue);
}
