import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { describeIssues } from './issues.ts';
import type { MessageFormat } from './messages.ts';
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
  const schema = lazily(() =>
    z.object({
      version: z.literal(version),
      work: z.literal(work),
      notice: z.object({
        cause: z.enum(causes),
        autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
        noticedAt: z.iso.datetime(),
      }),
      hop: z.int().check(z.nonnegative()),
      sentAt: z.iso.datetime(),
    }),
  );
  return {
    read: (value) => {
      const result = schema().safeParse(value);
      if (!result.success) return { kind: 'poison', reason: describeIssues(result.error) };
      const { notice, hop } = result.data;
      const subject = subjectOf(notice.autoScalingGroupName);
      return { kind: 'message', message: { subject, notice, reasonKey: notice.cause, hop } };
    },
    write: (notice) => ({
      body: JSON.stringify({ version, work, notice, hop: 0, sentAt: notice.noticedAt }),
      groupId: subjectOf(notice.autoScalingGroupName),
      deduplicationId: digestOf(JSON.stringify(notice)),
    }),
  };
}

/** For a message group, which takes 128 characters and no spaces. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
