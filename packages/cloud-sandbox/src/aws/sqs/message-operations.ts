import type * as Sqs from '@aws-sdk/client-sqs';
import type { CallContext } from '../service.ts';
import { checkBatch, checkBatchBytes, eachEntry } from './batch.ts';
import { receive } from './long-poll.ts';
import { checkReceive } from './receive.ts';
import { messageBytes, type SendEntry, sendMessage } from './send.ts';
import { changeVisibility, deleteMessage } from './visibility.ts';
import { queueOf, type SqsWorld } from './world.ts';

const senderOf = ({ principal }: CallContext): string =>
  principal.arn.split('/').slice(1).join(':') || principal.accountId;

/** A message carries the trace of the call that sent it, unless it names one of its own (SendMessage, AWSTraceHeader). */
const traced = <Entry extends SendEntry>(entry: Entry, { traceHeader }: CallContext): Entry =>
  traceHeader === undefined || entry.MessageSystemAttributes?.AWSTraceHeader !== undefined
    ? entry
    : {
        ...entry,
        MessageSystemAttributes: {
          ...entry.MessageSystemAttributes,
          AWSTraceHeader: { DataType: 'String', StringValue: traceHeader },
        },
      };

/** The operations on messages. */
export const createMessageOperations = (world: SqsWorld) => ({
  SendMessage: (input: Sqs.SendMessageCommandInput, call: CallContext) =>
    sendMessage(world, queueOf(world, input.QueueUrl), traced(input, call), senderOf(call)),
  SendMessageBatch: (input: Sqs.SendMessageBatchCommandInput, call: CallContext) => {
    const queue = queueOf(world, input.QueueUrl);
    checkBatch(input.Entries);
    const entries = input.Entries ?? [];
    checkBatchBytes(entries.reduce((sum, entry) => sum + messageBytes(entry), 0));
    return eachEntry(entries, (entry) => sendMessage(world, queue, traced(entry, call), senderOf(call)));
  },
  ReceiveMessage: async (input: Sqs.ReceiveMessageCommandInput) => {
    checkReceive(input);
    const messages = await receive(world, queueOf(world, input.QueueUrl), input);
    return { Messages: messages.length === 0 ? undefined : messages };
  },
  DeleteMessage: (input: Sqs.DeleteMessageCommandInput) =>
    deleteMessage(world, queueOf(world, input.QueueUrl), input.ReceiptHandle),
  DeleteMessageBatch: (input: Sqs.DeleteMessageBatchCommandInput) => {
    const queue = queueOf(world, input.QueueUrl);
    checkBatch(input.Entries);
    return eachEntry(input.Entries ?? [], (entry) => {
      deleteMessage(world, queue, entry.ReceiptHandle);
      return {};
    });
  },
  ChangeMessageVisibility: (input: Sqs.ChangeMessageVisibilityCommandInput) =>
    changeVisibility(world, queueOf(world, input.QueueUrl), {
      handle: input.ReceiptHandle,
      timeoutSeconds: input.VisibilityTimeout,
    }),
  ChangeMessageVisibilityBatch: (input: Sqs.ChangeMessageVisibilityBatchCommandInput) => {
    const queue = queueOf(world, input.QueueUrl);
    checkBatch(input.Entries);
    return eachEntry(input.Entries ?? [], (entry) => {
      changeVisibility(world, queue, {
        handle: entry.ReceiptHandle,
        timeoutSeconds: entry.VisibilityTimeout,
      });
      return {};
    });
  },
});
