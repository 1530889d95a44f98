import * as z from 'zod/mini';
import { digestOf, type MessageFormat, messageFormat } from './message-format.ts';
import type { OutgoingMessage } from './queue.ts';

/** One reason for a pass over an Auto Scaling group. */
interface GroupNotice<Cause extends string> {
  readonly cause: Cause;
  readonly autoScalingGroupName: string;
  /** ISO 8601 in UTC. */
  readonly noticedAt: string;
}

/** One kind of work on Auto Scaling groups, in one version of its messages. */
interface GroupWork<Cause extends string> {
  readonly version: number;
  readonly work: string;
  readonly causes: readonly Cause[];
  /** The SQS message group for an Auto Scaling group. */
  readonly subjectOf: (autoScalingGroupName: string) => string;
}

/** Reads and writes the messages of this work. */
function groupMessages<const Cause extends string>({
  version,
  work,
  causes,
  subjectOf,
}: GroupWork<Cause>): {
  readonly read: MessageFormat<GroupNotice<Cause>>;
  /** SQS drops a second message with the same notice. */
  readonly write: (notice: GroupNotice<Cause>) => OutgoingMessage;
} {
  const format = messageFormat<GroupNotice<Cause>>({
    version,
    work,
    notice: () =>
      z.object({
        cause: z.enum(causes),
        autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
        noticedAt: z.iso.datetime(),
      }),
    subjectOf: ({ autoScalingGroupName }) => subjectOf(autoScalingGroupName),
    reasonKeyOf: ({ cause }) => cause,
  });
  return {
    read: format.read,
    write: (notice) => format.message(notice, notice.noticedAt, JSON.stringify(notice)),
  };
}

/**
 * Why a pass checks a group for empty nodes to give back:
 * - `give-back`: the last hold of the group has ended;
 * - `put-back`: a node was reserved, and no later pass continued with it.
 */
export type GivingBackNotice = GroupNotice<'give-back' | 'put-back'>;

/** Version 2 of the messages on the queue of leaving nodes. A Drover that reads only version 1 keeps such a message and does not park it. */
export const { read: readGivingBack, write: givingBackMessage } = groupMessages({
  version: 2,
  work: 'giving-back',
  causes: ['give-back', 'put-back'],
  subjectOf: (autoScalingGroupName) => `giving-back-${digestOf(autoScalingGroupName).slice(0, 32)}`,
});
