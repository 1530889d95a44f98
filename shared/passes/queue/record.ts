import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';

const count = () => z.string().check(z.regex(/^\d{1,15}$/));

const recordSchema = () =>
  z.object({
    messageId: z.string(),
    receiptHandle: z.string(),
    body: z.string(),
    attributes: z.object({
      ApproximateReceiveCount: count(),
      ApproximateFirstReceiveTimestamp: count(),
      SentTimestamp: count(),
      MessageGroupId: z.optional(z.string()),
    }),
  });

const batchSchema = lazily(() => z.object({ Records: z.array(recordSchema()).check(z.minLength(1)) }));

/** A received message. Times are epoch milliseconds. */
export interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly receiveCount: number;
  readonly firstReceivedAt: number;
  readonly sentAt: number;
  readonly groupId?: string;
}

/** The function was invoked with an event that is not a batch of SQS messages. */
export class NotABatchError extends Error {
  override readonly name = 'NotABatchError';
}

/**
 * The records of a batch, as Lambda's event source mapping delivers them.
 *
 * @throws NotABatchError if the event is not a batch. The message names the field and repeats no values.
 */
export function readBatch(event: unknown): readonly QueueRecord[] {
  const batch = z.safeParse(batchSchema(), event);
  if (!batch.success)
    throw new NotABatchError(
      `the event is not a batch of SQS messages (${describeIssues(batch.error)}); invoke the function through its queue`,
    );
  return batch.data.Records.map(toRecord);
}

function toRecord({ attributes, ...record }: z.infer<ReturnType<typeof recordSchema>>): QueueRecord {
  return {
    ...record,
    receiveCount: Number(attributes.ApproximateReceiveCount),
    firstReceivedAt: Number(attributes.ApproximateFirstReceiveTimestamp),
    sentAt: Number(attributes.SentTimestamp),
    ...(attributes.MessageGroupId !== undefined && { groupId: attributes.MessageGroupId }),
  };
}
