import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type MessageFormat, messageFormat } from './messages.ts';
import type { OutgoingMessage } from './queue.ts';

/** Why work on an Auto Scaling group starts. */
export interface GroupNotice<Cause extends string> {
  readonly cause: Cause;
  readonly autoScalingGroupName: string;
  /** ISO 8601 in UTC. */
  readonly noticedAt: string;
}

/** Work on Auto Scaling groups, as its messages name it. */
interface GroupWork<Cause extends string> {
  readonly version: number;
  readonly work: string;
  readonly causes: readonly Cause[];
  /** The message group of an Auto Scaling group. */
  readonly subjectOf: (autoScalingGroupName: string) => string;
}

/** How a version of the messages of such work is read and written. */
export function groupMessages<const Cause extends string>({
  version,
  work,
  causes,
  subjectOf,
}: GroupWork<Cause>): {
  readonly read: MessageFormat<GroupNotice<Cause>>;
  /** SQS drops a second message of the same notice. */
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
    write: (notice) => ({
      body: JSON.stringify(format.write(notice, notice.noticedAt)),
      groupId: subjectOf(notice.autoScalingGroupName),
      deduplicationId: digestOf(JSON.stringify(notice)),
    }),
  };
}

/** For a message group, which takes 128 characters and no spaces. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
