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
    ApproximateFirstReceiveTimestamp: String(timeOf(text)),
    SentTimestamp: String(timeOf(text)),
    ...(queueArn.endsWith('.fifo') && { MessageGroupId: 'invoked-by-hand' }),
  },
});

/**
 * When SQS would have received the event: at its own time, so that an old payload is handled as it was on its day. A text without a
 * readable time is received now.
 */
function timeOf(text: string): number {
  const time = Date.parse(String(timeIn(parsed(text))));
  return Number.isNaN(time) ? Date.now() : time;
}

/** The time of an event, of the notification of a hook, or of either in the envelope of SNS. */
function timeIn(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return undefined;
  if ('time' in event) return event.time;
  if ('Time' in event) return event.Time;
  return 'Message' in event && typeof event.Message === 'string' ? timeIn(parsed(event.Message)) : undefined;
}
