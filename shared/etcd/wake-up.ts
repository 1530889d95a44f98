import { createHash } from 'node:crypto';
import type { OutgoingMessage } from '../lifecycle/queue.ts';
import { type EtcdNotice, etcdMessage } from './message.ts';

/**
 * The message that wakes the passes over a zone, in the zone's message group. SQS drops a second one with the same `key` for
 * five minutes: one wait is known by its token, a sweep by its time.
 */
export function wakeUp(
  notice: EtcdNotice,
  { key, sentAt }: { readonly key: string; readonly sentAt: string },
): OutgoingMessage {
  return {
    body: JSON.stringify(etcdMessage(notice, sentAt)),
    groupId: notice.domain,
    deduplicationId: createHash('sha256').update(`${notice.cause} ${key}`).digest('hex'),
  };
}
