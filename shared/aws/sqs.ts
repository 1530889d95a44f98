import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  type MessageAttributeValue,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { BatchFailure, ChangeVisibilityBatch, OutgoingMessage, SendBatch } from '../passes/queue.ts';

/** Entries a call (SQS API reference). */
const entriesPerCall = 10;

/** One queue over SQS's API. Neither method throws: every entry that did not succeed is answered with its error. */
export interface SqsQueue {
  readonly send: SendBatch;
  readonly changeVisibility: ChangeVisibilityBatch;
}

export function createSqsQueue({ client, queueUrl }: { client: SQSClient; queueUrl: string }): SqsQueue {
  return {
    send: (messages) =>
      inBatches(messages, async (entries) => {
        const Entries = entries.map(({ item, Id }) => ({ Id, ...toEntry(item) }));
        return await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
      }),
    changeVisibility: (changes) =>
      inBatches(changes, async (entries) => {
        const Entries = entries.map(({ item, Id }) => ({
          Id,
          ReceiptHandle: item.receiptHandle,
          VisibilityTimeout: item.seconds,
        }));
        return await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
      }),
  };
}

const toEntry = ({ body, groupId, deduplicationId, attributes = {} }: OutgoingMessage) => ({
  MessageBody: body,
  ...(groupId && { MessageGroupId: groupId }),
  ...(deduplicationId && { MessageDeduplicationId: deduplicationId }),
  ...(Object.keys(attributes).length > 0 && {
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]): [string, MessageAttributeValue] => [
        name,
        { DataType: 'String', StringValue: value },
      ]),
    ),
  }),
});

interface Entry<Item> {
  readonly item: Item;
  readonly Id: string;
}

interface Answer {
  readonly Successful?: readonly { readonly Id: string | undefined }[] | undefined;
  readonly Failed?: readonly BatchResultErrorEntry[] | undefined;
}

/** `Id` is the place in the whole list, so that an answer finds its entry. */
async function inBatches<Item>(
  items: readonly Item[],
  call: (entries: readonly Entry<Item>[]) => Promise<Answer>,
): Promise<readonly BatchFailure[]> {
  const failures: BatchFailure[] = [];
  const entries = items.map((item, index) => ({ item, Id: String(index) }));
  for (let start = 0; start < entries.length; start += entriesPerCall) {
    const part = entries.slice(start, start + entriesPerCall);
    try {
      failures.push(...failuresIn(await call(part), part));
    } catch (cause) {
      const error = new Error('SQS refused the whole batch', { cause });
      failures.push(...part.map(({ Id }) => ({ index: Number(Id), error })));
    }
  }
  return failures;
}

/** An entry that the answer does not name may not have been taken: to ask again does no harm, to forget it would. */
function failuresIn(
  { Successful = [], Failed = [] }: Answer,
  part: readonly Entry<unknown>[],
): readonly BatchFailure[] {
  const named = new Set([...Successful, ...Failed].map(({ Id }) => Id));
  const unnamed = part.filter(({ Id }) => !named.has(Id));
  const error = new Error('the answer of SQS says nothing of this entry');
  return [...Failed.map(toFailure), ...unnamed.map(({ Id }) => ({ index: Number(Id), error }))];
}

function toFailure({ Id, Code, Message }: BatchResultErrorEntry): BatchFailure {
  const error = new Error(Message ?? 'SQS gave no reason');
  error.name = Code ?? 'SqsError';
  return { index: Number(Id), error };
}
