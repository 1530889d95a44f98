import { expect, it } from 'vitest';
import { readBatchSample } from '../../../../events/index.ts';
import { readLeavingMessage } from '../../../../shared/lifecycle/messages.ts';
import { done } from '../../../../shared/lifecycle/outcome.ts';
import type { VisibilityChange } from '../../../../shared/lifecycle/queue.ts';
import { createLog } from '../../../../shared/runtime/log.ts';
import { createMetrics } from '../../../../shared/runtime/metrics.ts';
import { createQueueHandler } from '../../../../shared/runtime/queue/queue-handler.ts';
import { firstInstance } from '../../../support/notices.ts';

it('a pass that hangs does not delay the answers of the others in its batch when the time is up', async () => {
  const hidden: VisibilityChange[] = [];
  const lines: string[] = [];
  const host = {
    clock: { now: () => 0 },
    randomBytes: (size: number) => new Uint8Array(size),
    writeLine: (line: string) => void lines.push(line),
  };
  const handler = createQueueHandler({
    work: 'node-leaving',
    host,
    log: createLog(host),
    metrics: createMetrics(host, 'drover'),
    queue: {
      changeVisibility: async (changes) => {
        hidden.push(...changes);
        return [];
      },
      send: async () => [],
      park: async () => [],
    },
    read: readLeavingMessage,
    pass: ({ id }) => (id === firstInstance ? new Promise<never>(() => {}) : Promise.resolve(done('gone'))),
  });
  const end = new AbortController();
  const answer = handler(readBatchSample('leaving-two-reasons-and-another-instance'), {
    awsRequestId: 'request',
    functionName: 'node-leaving',
    getRemainingTimeInMillis: () => 30_000,
    signal: end.signal,
  });
  end.abort();
  const { batchItemFailures } = await answer;
  expect(batchItemFailures).toHaveLength(2);
  expect(hidden.map(({ seconds }) => seconds)).toEqual([4, 4]);
  expect(lines.join('\n')).toContain('the time of the invocation was up');
});
