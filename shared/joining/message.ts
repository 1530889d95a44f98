import * as z from 'zod/mini';
import { instanceIdPattern } from '../base/instance-id.ts';
import { lazily } from '../base/lazily.ts';
import { distinctTimeOf, hookSchema, placeSchema } from '../passes/hook-notice.ts';
import { type MessageReading, messageFormat, readMessage } from '../passes/message-format.ts';
import type { OutgoingMessage } from '../passes/queue.ts';

/**
 * Why a pass runs for an instance:
 * - `launching`: it waits on our hook, in Pending:Wait or, on its way into a warm pool, in Warmed:Pending:Wait;
 * - `swept`: the sweep found it waiting.
 */
const joiningCauses = ['launching', 'swept'] as const;

/** One reason for a pass over one launching instance, as its message has it. Times are ISO 8601 in UTC. */
const joiningNoticeSchema = lazily(() =>
  z.object({
    cause: z.enum(joiningCauses),
    instanceId: z.string().check(z.regex(instanceIdPattern)),
    noticedAt: z.iso.datetime(),
    hook: hookSchema(),
    /** The heartbeats of the wait were requested together with this notice. Absent in messages of older versions. */
    hasHeartbeats: z.optional(z.literal(true)),
    /** `WarmPool` if the instance leaves the pool to serve. */
    origin: z.optional(placeSchema()),
    /** `WarmPool` if the instance is launched into the pool and does not join yet. */
    destination: z.optional(placeSchema()),
  }),
);

export type JoiningNotice = z.infer<ReturnType<typeof joiningNoticeSchema>>;

/** Two messages with the same key ask for the same thing, even if they were noticed at different times. */
const reasonKeyOf = ({ cause, instanceId, hook }: JoiningNotice): string =>
  JSON.stringify([
    cause,
    instanceId,
    hook.autoScalingGroupName,
    hook.lifecycleHookName,
    hook.lifecycleActionToken,
  ]);

const { read, message } = messageFormat<JoiningNotice>({
  version: 1,
  work: 'node-joining',
  notice: joiningNoticeSchema,
  subjectOf: ({ instanceId }) => instanceId,
  reasonKeyOf,
});

/** Reads a message from the queue of joining nodes; never throws. */
export const readJoiningMessage = (body: string): MessageReading<JoiningNotice> =>
  readMessage(body, { 1: read });

/**
 * The message of a notice, in the message group of its instance. SQS drops a second message about the same wait for five minutes. The
 * wait is identified by its token, or by its time if it has no token.
 */
export const joiningMessage = (notice: JoiningNotice, sentAt: string): OutgoingMessage =>
  message(notice, sentAt, `${reasonKeyOf(notice)}${distinctTimeOf(notice)}`);
