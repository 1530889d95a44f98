import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { BatchFailure, ChangeVisibilityBatch, OutgoingMessage, SendBatch } from '../lifecycle/queue.ts';
import type { SqsApi } from './api/sqs-api.ts';

/** Entries a call (SQS API reference). */
const entriesPerCall = 10;

/** One queue over SQS's API. Neither method throws: every entry that did not succeed is answered with its error. */
export interface SqsQueue {
  readonly send: SendBatch;
  readonly changeVisibility: ChangeVisibilityBatch;
}

export function createSqsQueue({ api, queueUrl }: { api: SqsApi; queueUrl: string }): SqsQueue {
  return {
    send: (messages) =>
      inBatches(messages, async (entries) => {
        const Entries = entries.map(({ item, Id }) => ({ Id, ...toEntry(item) }));
        return await api.call('SendMessageBatch', { QueueUrl: queueUrl, Entries });
      }),
    changeVisibility: (changes) =>
      inBatches(changes, async (entries) => {
        const Entries = entries.map(({ item, Id }) => ({
          Id,
          ReceiptHandle: item.receiptHandle,
          VisibilityTimeout: item.seconds,
        }));
        return await api.call('ChangeMessageVisibilityBatch', { QueueUrl: queueUrl, Entries });
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

interface Answer {
  readonly Failed?: readonly {
    readonly Id?: string | undefined;
    readonly Code?: string | undefined;
    readonly Message?: string | undefined;
  }[];
}

/** `Id` is the place in the whole list, so that an answer finds its entry. */
async function inBatches<Item>(
  items: readonly Item[],
  call: (entries: readonly { readonly item: Item; readonly Id: string }[]) => Promise<Answer>,
): Promise<readonly BatchFailure[]> {
  const failures: BatchFailure[] = [];
  const entries = items.map((item, index) => ({ item, Id: String(index) }));
  for (let start = 0; start < entries.length; start += entriesPerCall) {
    const part = entries.slice(start, start + entriesPerCall);
    try {
      failures.push(...((await call(part)).Failed?.map(toFailure) ?? []));
    } catch (cause) {
      const error = new Error('SQS refused the whole batch', { cause });
      failures.push(...part.map(({ Id }) => ({ index: Number(Id), error })));
    }
  }
  return failures;
}

function toFailure({ Id, Code, Message }: NonNullable<Answer['Failed']>[number]): BatchFailure {
  const error = new Error(Message ?? 'SQS gave no reason');
  error.name = Code ?? 'SqsError';
  return { index: Number(Id), error };
}
