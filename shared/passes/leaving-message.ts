import { createHash } from 'node:crypto';
import { type LeavingNotice, leavingNoticeSchema } from './leaving-notice.ts';
import { type MessageFormat, messageFormat } from './message-format.ts';

/**
 * The same key for a repeated message: it has the reason of the notice, but not the time at which it was noticed. It has the name of
 * the Node, because a notice that names the Node asks for more than one that does not.
 */
export function reasonKeyOf({
  cause,
  instanceId,
  deadline,
  destination,
  hook,
  nodeName,
}: LeavingNotice): string {
  const { autoScalingGroupName, lifecycleHookName, lifecycleActionToken } = hook ?? {};
  return JSON.stringify([
    cause,
    instanceId,
    deadline,
    destination,
    autoScalingGroupName,
    lifecycleHookName,
    lifecycleActionToken,
    nodeName,
  ]);
}

const leaving = messageFormat<LeavingNotice>({
  version: 1,
  work: 'node-leaving',
  notice: leavingNoticeSchema,
  subjectOf: ({ instanceId }) => instanceId,
  reasonKeyOf,
});

/** Every version of the leaving message that this Drover reads, oldest first. */
export const leavingFormats: Readonly<Record<number, MessageFormat<LeavingNotice>>> = { 1: leaving.read };

/** The message of a notice, in the newest version. */
export const leavingMessage = leaving.write;

/**
 * SQS drops a second message with this id for five minutes. A wait is identified by its token, because EventBridge, SQS and SNS
 * report the same wait with different times. Everything else is identified by its reason and the time of its event, which a
 * redelivery repeats.
 */
export function deduplicationIdOf(notice: LeavingNotice): string {
  const distinct = notice.hook?.lifecycleActionToken === undefined ? notice.noticedAt : '';
  return createHash('sha256')
    .update(`${reasonKeyOf(notice)}${distinct}`)
    .digest('hex');
}
