import { createHash } from 'node:crypto';
import type { OutgoingMessage } from '../passes/queue.ts';
import { type EtcdNotice, etcdMessage } from './message.ts';

/**
 * The message that wakes a pass over a zone, in the zone's message group. SQS drops a second message with the same `key` for five
 * minutes. The key of a wait is its token; the key of a sweep is its time.
 */
export function wakeUpMessage(
  notice: EtcdNotice,
  { key, sentAt }: { readonly key: string; readonly sentAt: string },
): OutgoingMessage {
  return {
    body: JSON.stringify(etcdMessage(notice, sentAt)),
    groupId: notice.domain,
    deduplicationId: createHash('sha256').update(`${notice.cause} ${key}`).digest('hex'),
  };
}
