import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { type QueueRecord, readBatch } from '../passes/queue/record.ts';

/** How the function was invoked: by its queue, or directly by a topic or a hook that has it as its target. */
export type Invocation =
  | { readonly kind: 'batch'; readonly records: readonly QueueRecord[] }
  | { readonly kind: 'direct'; readonly texts: readonly string[] };

const topicSchema = lazily(() =>
  z.object({
    Records: z.array(z.object({ EventSource: z.literal('aws:sns'), Sns: z.object({ Message: z.string() }) })),
  }),
);

/**
 * Tells the ways apart in which intake is woken.
 *
 * @throws NotABatchError for records that are neither of SQS nor of SNS.
 */
export function readInvocation(event: unknown): Invocation {
  const topic = z.safeParse(topicSchema(), event);
  if (topic.success) return { kind: 'direct', texts: topic.data.Records.map(({ Sns }) => Sns.Message) };
  const hasRecords = typeof event === 'object' && event !== null && 'Records' in event;
  if (hasRecords) return { kind: 'batch', records: readBatch(event) };
  return { kind: 'direct', texts: [JSON.stringify(event) ?? ''] };
}
