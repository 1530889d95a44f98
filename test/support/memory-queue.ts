import type { OutgoingMessage, SendBatch } from '../../shared/passes/queue.ts';

/** A FIFO queue as a sender sees it: keeps messages, drops duplicates, and refuses the messages that a test selects. */
export function createMemoryQueue() {
  const messages: OutgoingMessage[] = [];
  const seen = new Set<string>();
  let refuses: (message: OutgoingMessage) => boolean = () => false;
  const send: SendBatch = async (batch) =>
    batch.flatMap((message, index) => {
      if (refuses(message)) return [{ index, error: new Error('InternalError') }];
      const id = message.deduplicationId;
      if (id === undefined || !seen.has(id)) messages.push(message);
      if (id !== undefined) seen.add(id);
      return [];
    });
  const refuse = (predicate: (message: OutgoingMessage) => boolean): void => {
    refuses = predicate;
  };
  return { messages, send, refuse };
}
