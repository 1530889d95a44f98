import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { distinctTimeOf, hookSchema } from '../passes/hook-notice.ts';
import { digestOf, type MessageReading, messageFormat, readMessage } from '../passes/message-format.ts';
import type { OutgoingMessage } from '../passes/queue.ts';

/** A wait of one instance on one hook of Drover, as its message has it. */
const heartbeatNoticeSchema = lazily(() =>
  z.object({
    cause: z.literal('waiting'),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    /** When the wait began, as far as the sender knows: ISO 8601 in UTC. */
    noticedAt: z.iso.datetime(),
    transition: z.enum(['launching', 'terminating']),
    /** The timeout of the hook when the wait was noticed; absent if the sender does not know it. */
    heartbeatTimeoutSeconds: z.optional(z.int().check(z.positive())),
    hook: hookSchema(),
    /** When Auto Scaling accepted the last heartbeat, which restarted the timeout of the wait; absent before the first one. */
    restartedAt: z.optional(z.iso.datetime()),
  }),
);

export type HeartbeatNotice = z.infer<ReturnType<typeof heartbeatNoticeSchema>>;

/** The same key for every wait of the instance on the hook. */
const waitKeyOf = ({ instanceId, hook }: HeartbeatNotice): string =>
  JSON.stringify([instanceId, hook.autoScalingGroupName, hook.lifecycleHookName]);

const { read, message } = messageFormat<HeartbeatNotice>({
  version: 1,
  work: 'heartbeats',
  notice: heartbeatNoticeSchema,
  // The name of a hook may be longer than a message group of SQS.
  subjectOf: (notice) => `${notice.instanceId}-${digestOf(waitKeyOf(notice)).slice(0, 32)}`,
  // A message that knows more about the timeout of the wait must not be absorbed by another, nor one about a later wait of the instance.
  reasonKeyOf: (notice) =>
    JSON.stringify([
      waitKeyOf(notice),
      notice.restartedAt,
      notice.heartbeatTimeoutSeconds,
      notice.hook.lifecycleActionToken,
    ]),
});

/** Reads a message from the queue of heartbeats; never throws. */
export const readHeartbeatMessage = (body: string): MessageReading<HeartbeatNotice> =>
  readMessage(body, { 1: read });

/**
 * The message that keeps a wait alive, in a message group of its own. SQS drops a second message about the same wait for five minutes;
 * later ones are absorbed when they are delivered together with the first. The message of a new restart is never dropped.
 */
export const heartbeatMessage = (notice: HeartbeatNotice, sentAt: string): OutgoingMessage =>
  message(
    notice,
    sentAt,
    `${waitKeyOf(notice)}${notice.hook.lifecycleActionToken ?? ''}${distinctTimeOf(notice)}${notice.restartedAt ?? ''}`,
  );
