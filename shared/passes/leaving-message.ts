import { distinctTimeOf } from './hook-notice.ts';
import { type LeavingNotice, leavingNoticeSchema } from './leaving-notice.ts';
import { type MessageFormat, messageFormat } from './message-format.ts';
import type { OutgoingMessage } from './queue.ts';

/**
 * The same key for a repeated message: it has the reason of the notice, but not the time at which it was noticed. It has the name of
 * the Node, because a notice that names the Node asks for more than one that does not, and for the same reason whether the Node is deleted.
 */
export const reasonKeyOf = ({ hook, ...notice }: LeavingNotice): string =>
  JSON.stringify([
    notice.cause,
    notice.instanceId,
    notice.deadline,
    notice.destination,
    hook?.autoScalingGroupName,
    hook?.lifecycleHookName,
    hook?.lifecycleActionToken,
    notice.nodeName,
    ...(notice.change === undefined ? [] : [notice.change]),
    ...(notice.nodeDeleted ? ['node-deleted'] : []),
  ]);

const formatOf = (version: number) =>
  messageFormat<LeavingNotice>({
    version,
    work: 'node-leaving',
    notice: leavingNoticeSchema,
    subjectOf: ({ instanceId }) => instanceId,
    reasonKeyOf,
  });

const reasons = formatOf(1);
/** A Drover that reads only older versions keeps a cause that it does not know, and does not park it. */
const ends = formatOf(3);

/** Every version of the leaving message that this Drover reads, oldest first. Version 2 is about groups. */
export const leavingFormats: Readonly<Record<number, MessageFormat<LeavingNotice>>> = {
  1: reasons.read,
  3: ends.read,
};

/**
 * The message of a notice, in the oldest version that has its cause and in the message group of its instance. A wait is identified by its token, because
 * EventBridge, SQS and SNS report the same wait with different times. Everything else is identified by its reason and the time of its
 * event, which a redelivery repeats.
 */
export const leavingMessage = (notice: LeavingNotice, sentAt: string): OutgoingMessage =>
  (notice.cause === 'change-ended' ? ends : reasons).message(
    notice,
    sentAt,
    `${reasonKeyOf(notice)}${distinctTimeOf(notice)}`,
  );
