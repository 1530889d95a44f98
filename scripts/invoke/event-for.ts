import type { Message } from '@aws-sdk/client-sqs';
import type { FunctionWiring, Wiring } from '@drover/cloud-sandbox';
import { sqsEvent } from '@drover/cloud-sandbox/lambda';

/** The queue that the function reads, if it reads one. */
export const queueOf = (wiring: Wiring, { functionArn }: FunctionWiring): string | undefined =>
  wiring.eventSourceMappings.find((mapping) => mapping.functionArn === functionArn)?.eventSourceArn;

const hasRecords = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'Records' in event && Array.isArray(event.Records);

/**
 * The event with which the function is invoked: the event as it is, or, if the function reads a queue and the event is not one of
 * SQS, a batch of one message with the event as its body, as the queue would deliver it.
 */
export function eventFor(text: string, queueArn: string | undefined): unknown {
  const event: unknown = parsed(text);
  if (queueArn === undefined || hasRecords(event)) return event;
  return sqsEvent([messageOf(text, queueArn)], queueArn);
}

/** A file that is not JSON is sent as text, to see how the function handles it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const messageOf = (text: string, queueArn: string): Message => ({
  MessageId: '00000000-0000-4000-8000-000000000001',
  ReceiptHandle: 'of-no-queue',
  Body: text,
  Attributes: {
    ApproximateReceiveCount: '1',
    ...(queueArn.endsWith('.fifo') && { MessageGroupId: 'invoked-by-hand' }),
  },
});
