import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { describeIssues } from '../lifecycle/issues.ts';
import { type MessageFormat, type MessageReading, readMessage } from '../lifecycle/messages.ts';
import type { OutgoingMessage } from '../lifecycle/queue.ts';
import { type JoiningNotice, joiningNoticeSchema } from './notice.ts';

const versionOneSchema = lazily(() =>
  z.object({
    version: z.literal(1),
    work: z.literal('node-joining'),
    notice: joiningNoticeSchema(),
    hop: z.int().check(z.nonnegative()),
    sentAt: z.iso.datetime(),
  }),
);

const readVersionOne: MessageFormat<JoiningNotice> = (value) => {
  const result = versionOneSchema().safeParse(value);
  if (!result.success) return { kind: 'poison', reason: describeIssues(result.error) };
  const { notice, hop } = result.data;
  return {
    kind: 'message',
    message: { subject: notice.instanceId, notice, reasonKey: reasonKeyOf(notice), hop },
  };
};

/** Reads a message of the queue of joining nodes; never throws. */
export const readJoiningMessage = (body: string): MessageReading<JoiningNotice> =>
  readMessage(body, { 1: readVersionOne });

/** Two messages with the same key ask for the same thing, whenever they were noticed. */
const reasonKeyOf = ({ cause, instanceId, hook }: JoiningNotice): string =>
  JSON.stringify([
    cause,
    instanceId,
    hook.autoScalingGroupName,
    hook.lifecycleHookName,
    hook.lifecycleActionToken,
  ]);

/**
 * The message of a notice, in the group of its instance. SQS drops a second message of one wait for five minutes, which its token
 * identifies. Where there is no token, the time does.
 */
export function joiningMessage(notice: JoiningNotice, sentAt: string): OutgoingMessage {
  const distinct = notice.hook.lifecycleActionToken === undefined ? notice.noticedAt : '';
  const message: z.infer<ReturnType<typeof versionOneSchema>> = {
    version: 1,
    work: 'node-joining',
    notice,
    hop: 0,
    sentAt,
  };
  return {
    body: JSON.stringify(message),
    groupId: notice.instanceId,
    deduplicationId: createHash('sha256')
      .update(`${reasonKeyOf(notice)}${distinct}`)
      .digest('hex'),
  };
}
