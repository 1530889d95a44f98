import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { describeIssues } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import type { OutgoingMessage } from './queue.ts';

/** A message of any kind of work, as the queue handler needs it. */
export interface ReadMessage<Notice> {
  /** Also the SQS message group, so passes for one subject never run at the same time. */
  readonly subject: string;
  readonly notice: Notice;
  /** Two messages with the same key ask for the same thing. */
  readonly reasonKey: string;
  readonly hop: number;
}

/**
 * - `message`: the message was understood;
 * - `newer`: a later version of Drover wrote it, which is being rolled out or was rolled back; the message is kept;
 * - `poison`: no version of Drover will ever understand it.
 */
export type MessageReading<Notice> =
  | { readonly kind: 'message'; readonly message: ReadMessage<Notice> }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'poison'; readonly reason: string };

/** Reads the parsed JSON of one version. */
export type MessageFormat<Notice> = (value: unknown) => MessageReading<Notice>;

/** One kind of work, in one version of its messages. */
interface Work<Notice> {
  readonly version: number;
  readonly work: string;
  readonly notice: () => z.ZodMiniType<Notice>;
  /** Also the SQS message group. */
  readonly subjectOf: (notice: Notice) => string;
  readonly reasonKeyOf: (notice: Notice) => string;
}

/** The body of a message: one reason for a pass over one subject. */
interface QueueMessage<Notice> {
  readonly version: number;
  readonly work: string;
  readonly notice: Notice;
  /** How often the message was replaced by a fresh copy. */
  readonly hop: number;
  /** When the original was sent. */
  readonly sentAt: string;
}

/** Reads and writes the messages of this work. */
export function messageFormat<Notice>(format: Work<Notice>): {
  readonly read: MessageFormat<Notice>;
  readonly write: (notice: Notice, sentAt: string) => QueueMessage<Notice>;
  /** The message of a notice, in the message group of its subject. SQS drops a second message with the same `distinct` for five minutes. */
  readonly message: (notice: Notice, sentAt: string, distinct: string) => OutgoingMessage;
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
  const write = (notice: Notice, sentAt: string) => ({ version, work, notice, hop: 0, sentAt });
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
    write,
    message: (notice, sentAt, distinct) => ({
      body: JSON.stringify(write(notice, sentAt)),
      groupId: subjectOf(notice),
      deduplicationId: digestOf(distinct),
    }),
  };
}

/** A text of 64 characters without spaces, as ids and message groups of SQS need it. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const envelopeSchema = lazily(() => z.object({ version: z.int().check(z.positive()) }));

/**
 * Reads the body of a queue message. Never throws: a version above those of `formats` is `newer`, and anything else that cannot be
 * read is `poison`, with the field and the reason.
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

/** The body of the fresh copy that replaces a long-lived message of this or a newer version. Only the hop changes. */
export function renewedBody(body: string, hop: number): string {
  return JSON.stringify({ ...(parseJson(body) as object), hop });
}

const hopSchema = lazily(() => z.object({ hop: z.int().check(z.nonnegative()) }));

/** The hop of a message of any version; 0 if it has none. */
export function hopOf(body: string): number {
  const result = hopSchema().safeParse(parseJson(body));
  return result.success ? result.data.hop : 0;
}
