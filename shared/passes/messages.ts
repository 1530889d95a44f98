import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { describeIssues } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { type LeavingNotice, leavingNoticeSchema } from './notice.ts';

/** A message as a queue handler needs it, whatever the work. */
export interface ReadMessage<Notice> {
  /** The message group: one worker at a time. */
  readonly subject: string;
  readonly notice: Notice;
  /** Two messages with the same key ask for the same thing. */
  readonly reasonKey: string;
  readonly hop: number;
}

/**
 * - `message`: understood;
 * - `newer`: a later version of Drover wrote it, which is being rolled out or was rolled back: the message is kept;
 * - `poison`: no version will ever understand it.
 */
export type MessageReading<Notice> =
  | { readonly kind: 'message'; readonly message: ReadMessage<Notice> }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'poison'; readonly reason: string };

/** How one version is read. */
export type MessageFormat<Notice> = (value: unknown) => MessageReading<Notice>;

/** One version of the messages of a kind of work. */
interface Work<Notice> {
  readonly version: number;
  readonly work: string;
  readonly notice: () => z.ZodMiniType<Notice>;
  /** The message group. */
  readonly subjectOf: (notice: Notice) => string;
  readonly reasonKeyOf: (notice: Notice) => string;
}

/** What travels on a queue: one reason for one subject. */
interface QueueMessage<Notice> {
  readonly version: number;
  readonly work: string;
  readonly notice: Notice;
  /** How often the message was replaced by a fresh copy of itself. */
  readonly hop: number;
  /** When the first of those copies was sent. */
  readonly sentAt: string;
}

/** How a version of the messages of a kind of work is read and written. */
export function messageFormat<Notice>(format: Work<Notice>): {
  readonly read: MessageFormat<Notice>;
  readonly write: (notice: Notice, sentAt: string) => QueueMessage<Notice>;
} {
  const { version, work, subjectOf, reasonKeyOf } = format;
  const schema = lazily(() =>
    z.object({
      version: z.literal(version),
      work: z.literal(work),
      notice: format.notice(),
      hop: z.int().check(z.nonnegative()),
      sentAt: z.iso.datetime(),
    }),
  );
  return {
    read: (value) => {
      const result = schema().safeParse(value);
      if (!result.success) return { kind: 'poison', reason: describeIssues(result.error) };
      const { notice, hop } = result.data;
      return {
        kind: 'message',
        message: { subject: subjectOf(notice), notice, reasonKey: reasonKeyOf(notice), hop },
      };
    },
    write: (notice, sentAt) => ({ version, work, notice, hop: 0, sentAt }),
  };
}

const envelopeSchema = lazily(() => z.object({ version: z.int().check(z.positive()) }));

/**
 * Reads the body of a queue message. Never throws: a version beyond the formats is `newer`, whatever else cannot be read is
 * `poison` with the field and the reason.
 */
export function readMessage<Notice>(
  body: string,
  formats: Readonly<Record<number, MessageFormat<Notice>>>,
): MessageReading<Notice> {
  const value = parseJson(body);
  const envelope = envelopeSchema().safeParse(value);
  if (!envelope.success) return { kind: 'poison', reason: describeIssues(envelope.error) };
  const { version } = envelope.data;
  const format = formats[version];
  if (format !== undefined) return format(value);
  const newest = Math.max(...Object.keys(formats).map(Number));
  if (version > newest) return { kind: 'newer', version };
  return { kind: 'poison', reason: `version: ${version} is not read any more` };
}

/**
 * What a repeated message has in common with the first: the reason, but not the time at which it was noticed. A notice that names the
 * Node asks for more than one that does not.
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

/** Every version of the leaving message that is read, oldest first. */
export const leavingFormats: Readonly<Record<number, MessageFormat<LeavingNotice>>> = { 1: leaving.read };

/** The message of a notice, in the newest version. */
export const leavingMessage = leaving.write;

/**
 * SQS drops a second message with this id for five minutes. The token identifies one wait, since EventBridge, SQS and SNS report
 * the same action with different times. The reason and the time of the event identify everything else: a redelivery repeats both.
 */
export function deduplicationIdOf(notice: LeavingNotice): string {
  const distinct = notice.hook?.lifecycleActionToken === undefined ? notice.noticedAt : '';
  return createHash('sha256')
    .update(`${reasonKeyOf(notice)}${distinct}`)
    .digest('hex');
}

/** The body of the fresh copy that replaces a long-lived message, of this version or a newer one: only the hop changes. */
export function renewedBody(body: string, hop: number): string {
  return JSON.stringify({ ...(parseJson(body) as object), hop });
}

const hopSchema = lazily(() => z.object({ hop: z.int().check(z.nonnegative()) }));

/** The hop of any version: 0 where it does not say. */
export function hopOf(body: string): number {
  const result = hopSchema().safeParse(parseJson(body));
  return result.success ? result.data.hop : 0;
}
