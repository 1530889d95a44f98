import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { type QueueRecord, readBatch } from '../passes/queue/batch.ts';

/** How the function was invoked: by its queue, or directly by a topic or a hook. */
export type Invocation =
  | { readonly kind: 'batch'; readonly records: readonly QueueRecord[] }
  | { readonly kind: 'direct'; readonly texts: readonly string[] };

const topicSchema = lazily(() =>
  z.object({
    Records: z.array(
      z.object({ EventSource: z.literal('aws:sns'), Sns: z.looseObject({ Message: z.string() }) }),
    ),
  }),
);

/**
 * Reads an invocation of intake.
 *
 * @throws NotABatchError if the event has records that are neither from SQS nor from SNS.
 */
export function readInvocation(event: unknown): Invocation {
  const topic = z.safeParse(topicSchema(), event);
  if (topic.success) return { kind: 'direct', texts: topic.data.Records.map(({ Sns }) => inEnvelope(Sns)) };
  const hasRecords = typeof event === 'object' && event !== null && 'Records' in event;
  if (hasRecords) return { kind: 'batch', records: readBatch(event) };
  return { kind: 'direct', texts: [JSON.stringify(event) ?? ''] };
}

/** The envelope stays, also in the dead-letter queue: it shows that a topic delivered the message, and less counts from a topic. */
const inEnvelope = (sns: object): string => JSON.stringify({ ...sns, Type: 'Notification' });

/** One text that has arrived. */
export interface Arrival {
  /** The message id, or a number in a direct invocation. */
  readonly key: string;
  readonly text: string;
  /** When SQS or Lambda received it, in epoch milliseconds. */
  readonly receivedAt: number;
}

/** The texts of an invocation. `now` is when a direct invocation was received. */
export const arrivalsOf = (invocation: Invocation, now: number): readonly Arrival[] =>
  invocation.kind === 'batch'
    ? invocation.records.map(({ messageId, body, sentAt }) => ({
        key: messageId,
        text: body,
        receivedAt: sentAt,
      }))
    : invocation.texts.map((text, index) => ({ key: `direct-${index}`, text, receivedAt: now }));
