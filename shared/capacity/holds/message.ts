import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { describeIssues } from '../../lifecycle/issues.ts';
import { type MessageFormat, type MessageReading, readMessage } from '../../lifecycle/messages.ts';
import type { OutgoingMessage } from '../../lifecycle/queue.ts';
import { segmentOf } from './parameter-names.ts';

/** Why a pass over the capacity of a group starts: the look of every minute found work, or a person asked for it. */
const noticeSchema = lazily(() =>
  z.object({
    cause: z.enum(['looked', 'asked']),
    autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
    noticedAt: z.iso.datetime(),
  }),
);

export type CapacityNotice = z.infer<ReturnType<typeof noticeSchema>>;

const versionOneSchema = lazily(() =>
  z.object({
    version: z.literal(1),
    work: z.literal('capacity'),
    notice: noticeSchema(),
    hop: z.int().check(z.nonnegative()),
    sentAt: z.iso.datetime(),
  }),
);

const readVersionOne: MessageFormat<CapacityNotice> = (value) => {
  const result = versionOneSchema().safeParse(value);
  if (!result.success) return { kind: 'poison', reason: describeIssues(result.error) };
  const { notice, hop } = result.data;
  return {
    kind: 'message',
    message: { subject: subjectOf(notice.autoScalingGroupName), notice, reasonKey: notice.cause, hop },
  };
};

/** Reads a message of the queue of capacity; never throws. */
export const readCapacityMessage = (body: string): MessageReading<CapacityNotice> =>
  readMessage(body, { 1: readVersionOne });

/** A message group takes 128 characters and no spaces: a longer name of a group is its digest. */
function subjectOf(autoScalingGroupName: string): string {
  const segment = segmentOf(autoScalingGroupName);
  return segment.length <= 128 ? segment : digestOf(segment);
}

/** The message of a notice, in the message group of its Auto Scaling group. SQS drops a second one of the same time. */
export function capacityMessage(notice: CapacityNotice): OutgoingMessage {
  const message: z.infer<ReturnType<typeof versionOneSchema>> = {
    version: 1,
    work: 'capacity',
    notice,
    hop: 0,
    sentAt: notice.noticedAt,
  };
  return {
    body: JSON.stringify(message),
    groupId: subjectOf(notice.autoScalingGroupName),
    deduplicationId: digestOf(JSON.stringify(notice)),
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
