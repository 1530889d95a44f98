import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { describeIssues } from './issues.ts';
import type { MessageFormat } from './messages.ts';
import type { OutgoingMessage } from './queue.ts';

/**
 * Why the empty nodes of a group are looked at:
 * - `give-back`: its last hold has ended;
 * - `put-back`: a node was reserved, and no pass went on with it.
 */
const noticeSchema = lazily(() =>
  z.object({
    cause: z.enum(['give-back', 'put-back']),
    autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
    noticedAt: z.iso.datetime(),
  }),
);

export type GivingBackNotice = z.infer<ReturnType<typeof noticeSchema>>;

/** Version 2 of what travels on the queue of leaving nodes: a Drover that reads only version 1 keeps it, and does not park it. */
const versionTwoSchema = lazily(() =>
  z.object({
    version: z.literal(2),
    work: z.literal('giving-back'),
    notice: noticeSchema(),
    hop: z.int().check(z.nonnegative()),
    sentAt: z.iso.datetime(),
  }),
);

export const readGivingBack: MessageFormat<GivingBackNotice> = (value) => {
  const result = versionTwoSchema().safeParse(value);
  if (!result.success) return { kind: 'poison', reason: describeIssues(result.error) };
  const { notice, hop } = result.data;
  return {
    kind: 'message',
    message: { subject: subjectOf(notice.autoScalingGroupName), notice, reasonKey: notice.cause, hop },
  };
};

/** A message group of its own for each Auto Scaling group, whose name may be longer and have other characters than SQS takes. */
const subjectOf = (autoScalingGroupName: string): string =>
  `giving-back-${digestOf(autoScalingGroupName).slice(0, 32)}`;

export function givingBackMessage(notice: GivingBackNotice): OutgoingMessage {
  const message: z.infer<ReturnType<typeof versionTwoSchema>> = {
    version: 2,
    work: 'giving-back',
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
