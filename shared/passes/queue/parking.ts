import { redactText } from '../../base/redact.ts';
import type { OutgoingMessage, SendBatch } from '../queue.ts';

const longestReason = 256;
/** An SQS message has at most 1 MiB, with its attributes. */
const longestBody = 1_000_000;

/** A message on its way to the dead-letter queue. */
export interface Parcel {
  readonly messageId: string;
  readonly body: string;
  readonly reason: string;
  /** Present if the dead-letter queue is FIFO. */
  readonly groupId?: string;
}

/**
 * Sends messages for which a retry is useless to the dead-letter queue, with the reason as an attribute for the operator. If the
 * invocation dies here, a message is parked twice: a FIFO queue drops the second, a standard queue keeps both.
 */
export const park = (parcels: readonly Parcel[], send: SendBatch): ReturnType<SendBatch> =>
  send(parcels.map(toMessage));

const toMessage = ({ messageId, body, reason, groupId }: Parcel): OutgoingMessage => ({
  body: cut(body),
  attributes: { reason: attributeText(reason), originalMessageId: messageId },
  ...(groupId !== undefined && { groupId, deduplicationId: `parked-${messageId}` }),
});

const cut = (body: string): string => {
  const bytes = Buffer.from(body);
  return bytes.length <= longestBody ? body : bytes.subarray(0, longestBody).toString();
};

/** An attribute must not be empty or have control characters (SQS developer guide, "message attributes"). */
const attributeText = (reason: string): string =>
  redactText(reason)
    .replaceAll(/[^\P{C}]/gu, ' ')
    .slice(0, longestReason) || 'unknown';
