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

/** Throws where a FIFO queue refuses a handle whose visibility timeout has run out (SQS developer guide, FIFO delivery). */
export function refuseExpiredFifo(queue: Queue, { message, handle, now }: HandleUse): void {
  if (!queue.fifo || (message.receiptHandle === handle && message.visibleAt > now)) return;
  throw invalidValue('ReceiptHandle', handle, 'The receipt handle has expired.');
}

export interface HandleUse {
  readonly message: StoredMessage;
  readonly handle: string;
  readonly now: number;
}
