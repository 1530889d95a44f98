import type { ReceiveMessageCommandInput } from '@aws-sdk/client-sqs';
import type { StoredMessage } from './message.ts';
import type { Queue } from './queue.ts';

const attemptMilliseconds = 5 * 60_000;

/**
 * What the same ReceiveRequestAttemptId got before, within five minutes: "the same message set and receipt handles", as
 * long as none of them was deleted, changed hands or became visible again (ReceiveMessage, FIFO only).
 */
export function repeatAttempt(
  queue: Queue,
  input: ReceiveMessageCommandInput,
  now: number,
): StoredMessage[] | undefined {
  const id = input.ReceiveRequestAttemptId;
  const attempt = id === undefined || !queue.fifo ? undefined : queue.attempts.get(id);
  if (attempt === undefined) return undefined;
  const messages = [...queue.messages.values()].filter(
    ({ receiptHandle, visibleAt }) =>
      receiptHandle !== undefined && attempt.handles.includes(receiptHandle) && visibleAt > now,
  );
  return messages.length === attempt.handles.length ? messages : undefined;
}

export function rememberAttempt(
  queue: Queue,
  input: ReceiveMessageCommandInput,
  { messages, now }: { readonly messages: readonly StoredMessage[]; readonly now: number },
): void {
  const id = input.ReceiveRequestAttemptId;
  if (id === undefined || !queue.fifo || messages.length === 0) return;
  const handles = messages.flatMap(({ receiptHandle }) => receiptHandle ?? []);
  queue.attempts.set(id, { until: now + attemptMilliseconds, handles });
}
