import { createHash } from 'node:crypto';
import { type MessageReading, messageFormat, readMessage } from '../passes/message-format.ts';
import type { OutgoingMessage } from '../passes/queue.ts';
import { type JoiningNotice, joiningNoticeSchema } from './notice.ts';

/** Two messages with the same key ask for the same thing, whenever they were noticed. */
const reasonKeyOf = ({ cause, instanceId, hook }: JoiningNotice): string =>
  JSON.stringify([
    cause,
    instanceId,
    hook.autoScalingGroupName,
    hook.lifecycleHookName,
    hook.lifecycleActionToken,
  ]);

const { read, write } = messageFormat<JoiningNotice>({
  version: 1,
  work: 'node-joining',
  notice: joiningNoticeSchema,
  subjectOf: ({ instanceId }) => instanceId,
  reasonKeyOf,
});

/** Reads a message of the queue of joining nodes; never throws. */
export const readJoiningMessage = (body: string): MessageReading<JoiningNotice> =>
  readMessage(body, { 1: read });

/**
 * The message of a notice, in the group of its instance. SQS drops a second message of one wait for five minutes, which its token
 * identifies. Where there is no token, the time does.
 */
export function joiningMessage(notice: JoiningNotice, sentAt: string): OutgoingMessage {
  const distinct = notice.hook.lifecycleActionToken === undefined ? notice.noticedAt : '';
  return {
    body: JSON.stringify(write(notice, sentAt)),
    groupId: notice.instanceId,
    deduplicationId: createHash('sha256')
      .update(`${reasonKeyOf(notice)}${distinct}`)
      .digest('hex'),
  };
}
