import type { Message } from '@aws-sdk/client-sqs';
import type { EventSourceMappingWiring, FunctionWiring } from '../cloud/wiring.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import { type BatchVerdict, readBatchResponse } from './batch-response.ts';
import { createBatchSource, type EventSourceQueues } from './event-source-queues.ts';
import { type InvocationOutcome, isSuccess } from './invocation.ts';
import type { Invoker } from './invoker.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createPollerLoad } from './poller-load.ts';
import { sqsEvent, traceHeadersOf } from './sqs-event.ts';

export interface PollerOptions {
  readonly mapping: EventSourceMappingWiring;
  readonly wiring: FunctionWiring;
  readonly queues: EventSourceQueues;
  readonly invoker: Invoker;
  readonly clock: SimulationClock;
  /** SQS refused the poller, or did not answer. The poller tries again. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
}

const retryMilliseconds = 5000;

/**
 * Polls one queue for one function. What succeeded is deleted; the rest of a batch is left to its visibility timeout, and
 * what the function changed of it stays.
 */
export function startPolling(options: PollerOptions): { stop(): void } {
  const { mapping, wiring, queues, invoker, clock } = options;
  const source = createBatchSource(queues, mapping, { roleArn: wiring.roleArn, clock });
  const load = createPollerLoad(mapping.maximumConcurrency);
  const life = { stopped: false };

  const report = (error: unknown): void => {
    options.onProblem?.(error);
    clock.after(retryMilliseconds, poll);
  };

  const invoke = async (messages: readonly Message[]): Promise<boolean> => {
    const event = sqsEvent(messages, mapping.eventSourceArn);
    const outcome = await invoker.invoke(wiring, event, traceHeadersOf(messages));
    await source.delete(succeeded(messages, verdictOf(outcome, mapping, messages)));
    return isSuccess(outcome);
  };

  const work = async (messages: readonly Message[]): Promise<void> => {
    load.begin();
    let success = false;
    try {
      success = await invoke(messages);
    } catch (error) {
      report(error);
    } finally {
      load.end(success);
      poll();
    }
  };

  const takeWhatThereIs = async (): Promise<void> => {
    while (!life.stopped && load.hasRoom()) {
      const first = await source.receive();
      if (first.length === 0) return;
      void work(await source.fill(first));
    }
  };

  const poll = oneAtATime(() => takeWhatThereIs().catch(report));
  const stopListening = queues.onVisible(mapping.eventSourceArn, poll);
  poll();
  return {
    stop: () => {
      life.stopped = true;
      stopListening();
    },
  };
}

function verdictOf(
  outcome: InvocationOutcome,
  mapping: EventSourceMappingWiring,
  messages: readonly Message[],
): BatchVerdict {
  if (!isSuccess(outcome)) return { kind: 'all-failed', why: outcome.kind };
  if (!mapping.reportBatchItemFailures) return { kind: 'all-succeeded' };
  return readBatchResponse(outcome.result, new Set(messages.map(({ MessageId = '' }) => MessageId)));
}

function succeeded(messages: readonly Message[], verdict: BatchVerdict): readonly Message[] {
  if (verdict.kind === 'all-failed') return [];
  if (verdict.kind === 'all-succeeded') return messages;
  return messages.filter(({ MessageId = '' }) => !verdict.messageIds.has(MessageId));
}
