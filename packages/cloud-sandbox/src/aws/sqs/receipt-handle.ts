import type { Random } from '../../simulation/random.ts';
import { AwsError } from '../service.ts';
import { invalidValue } from './errors.ts';
import type { StoredMessage } from './message.ts';
import type { Queue } from './queue.ts';

/** A handle names one receive of one message of one queue: opaque for callers. */
export const newReceiptHandle = (queue: Queue, message: StoredMessage, random: Random): string =>
  Buffer.from([random.uuid(), queue.arn, message.messageId].join(' ')).toString('base64');

const shape = /^[\da-f-]{36} arn:[^ ]+ [\da-f-]{36}$/;

/** The message id in a handle. Throws ReceiptHandleIsInvalid for what no receive of this queue ever gave out. */
export function messageIdOf(queue: Queue, handle: string): string {
  const text = Buffer.from(handle, 'base64').toString('utf8');
  const [, arn, messageId] = text.split(' ');
  if (shape.test(text) && arn === queue.arn && messageId !== undefined) return messageId;
  throw new AwsError({
    code: 'ReceiptHandleIsInvalid',
    message: `The input receipt handle "${handle.slice(0, 200)}" is not a valid receipt handle.`,
    statusCode: 404,
  });
}

const handleMilliseconds = 12 * 3600 * 1000;

/**
 * Throws for a handle that has expired: on a FIFO queue with its visibility timeout (aws/aws-sdk-js issue 1750), on any
 * queue 12 hours after its receive (boto/boto3 issue 2898).
 */
export function refuseExpired(queue: Queue, { message, handle, now }: HandleUse): void {
  const current = message.receiptHandle === handle;
  const inTime = queue.fifo
    ? current && message.visibleAt > now
    : !current || now <= (message.lastReceivedAt ?? now) + handleMilliseconds;
  if (inTime) return;
  throw invalidValue('ReceiptHandle', handle, 'The receipt handle has expired.');
}

export interface HandleUse {
  readonly message: StoredMessage;
  readonly handle: string;
  readonly now: number;
}
