import type { Message } from '@aws-sdk/client-sqs';
import type { EventSourceMappingWiring } from '../cloud/wiring.ts';
import type { SimulationClock } from '../simulation/clock.ts';

/** SQS as Lambda's pollers use it, each with the rights of its function's role. */
export interface EventSourceQueues {
  /** At most `maximumMessages` (1 to 10), with all attributes; empty when there is nothing to receive now. */
  receive(request: {
    readonly queueArn: string;
    readonly roleArn: string;
    readonly maximumMessages: number;
  }): Promise<readonly Message[]>;
  /** At most 10. */
  deleteMessages(request: {
    readonly queueArn: string;
    readonly roleArn: string;
    readonly receiptHandles: readonly string[];
  }): Promise<void>;
  /** Calls back whenever something of the queue may be receivable. Returns how to stop. */
  onVisible(queueArn: string, callback: () => void): () => void;
}

/** One mapping's view of its queue. */
export interface BatchSource {
  /** What the next batch begins with; empty when there is nothing. */
  receive(): Promise<readonly Message[]>;
  /** Waits for the rest of the batch, as long as the mapping's window says. */
  fill(first: readonly Message[]): Promise<readonly Message[]>;
  delete(messages: readonly Message[]): Promise<void>;
}

/** SQS takes ten messages in one call. */
const mostInOneCall = 10;

export function createBatchSource(
  queues: EventSourceQueues,
  mapping: EventSourceMappingWiring,
  { roleArn, clock }: { readonly roleArn: string; readonly clock: SimulationClock },
): BatchSource {
  const address = { queueArn: mapping.eventSourceArn, roleArn };
  const windowMilliseconds = mapping.maximumBatchingWindowSeconds * 1000;

  const receiveUpTo = async (count: number): Promise<readonly Message[]> => {
    const maximumMessages = Math.min(mostInOneCall, count);
    const messages = await queues.receive({ ...address, maximumMessages });
    if (messages.length < maximumMessages || messages.length === count) return messages;
    return [...messages, ...(await receiveUpTo(count - messages.length))];
  };

  const windowOver = (): Promise<void> =>
    new Promise((resume) => {
      clock.after(windowMilliseconds, resume);
    });

  return {
    receive: () => receiveUpTo(mapping.batchSize),
    fill: async (first) => {
      const missing = mapping.batchSize - first.length;
      if (windowMilliseconds === 0 || missing === 0) return first;
      await windowOver();
      return [...first, ...(await receiveUpTo(missing))];
    },
    delete: async (messages) => {
      for (let at = 0; at < messages.length; at += mostInOneCall) {
        const receiptHandles = messages
          .slice(at, at + mostInOneCall)
          .map((message) => message.ReceiptHandle ?? '');
        await queues.deleteMessages({ ...address, receiptHandles });
      }
    },
  };
}
