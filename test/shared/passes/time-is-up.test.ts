import { describe, expect, it } from 'vitest';
import { readBatchSample } from '../../../events/index.ts';
import { createLog } from '../../../shared/base/log.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { createMetrics } from '../../../shared/base/metrics.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { again, done } from '../../../shared/passes/outcome.ts';
import { createQueueHandler, type Pass } from '../../../shared/passes/queue/queue-handler.ts';
import type { VisibilityChange } from '../../../shared/passes/queue.ts';
import { rejectWhenAborted, unlessTimeIsUp } from '../../../shared/passes/time-is-up.ts';
import { firstInstance } from '../../support/notices.ts';
import { readLeavingMessage } from '../../support/read-leaving-message.ts';

const sample = 'leaving-two-reasons-and-another-instance';
const context = {
  awsRequestId: 'request',
  functionName: 'node-leaving',
  getRemainingTimeInMillis: () => 30_000,
};

/** A handler whose queue needs a moment to hide messages. */
function createLoop(
  pass: Pass<LeavingNotice>,
  more: Partial<Parameters<typeof createQueueHandler<LeavingNotice>>[0]> = {},
) {
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
        await new Promise((resolve) => setImmediate(resolve));
        hidden.push(...changes);
        return [];
      },
      send: async () => [],
      park: async () => [],
    },
    read: readLeavingMessage,
    pass,
    ...more,
  });
  return { handler, hidden, lines };
}

it('a batch is answered after its messages are hidden, because nothing runs after the answer', async () => {
  const { handler, hidden } = createLoop(async () => again(7, 'a budget holds'));
  const { batchItemFailures } = await handler(readBatchSample(sample), context);
  expect(batchItemFailures).toHaveLength(3);
  expect(hidden.map(({ seconds }) => seconds)).toEqual([7, 7, 7]);
});

it('a pass that hangs does not delay the answers of the others in its batch when the time is up', async () => {
  const { handler, hidden, lines } = createLoop(({ id }) =>
    id === firstInstance ? new Promise<never>(() => {}) : Promise.resolve(done('gone')),
  );
  const end = new AbortController();
  const answer = handler(readBatchSample(sample), { ...context, signal: end.signal });
  end.abort();
  const { batchItemFailures } = await answer;
  expect(batchItemFailures).toHaveLength(2);
  expect(hidden.map(({ seconds }) => seconds)).toEqual([4, 4]);
  expect(lines.join('\n')).toContain('the time of the invocation was up');
});

describe('a port that is stopped by a signal', () => {
  const calls: string[] = [];
  const port = {
    evict: async (name: string) => {
      calls.push(name);
      return `${name} evicted`;
    },
  };

  it('works as before until the signal is aborted', async () => {
    await expect(rejectWhenAborted(new AbortController().signal, port).evict('web-1')).resolves.toBe(
      'web-1 evicted',
    );
  });

  it('makes no call afterwards', async () => {
    const controller = new AbortController();
    const stopped = rejectWhenAborted(controller.signal, port);
    controller.abort(new Error('the time is up'));
    await expect(stopped.evict('web-2')).rejects.toThrow('the time is up');
    expect(calls).toEqual(['web-1']);
  });
});

describe('work with a limited time', () => {
  const hangs = new Promise<never>(() => {});
  /** The result of the work, or its error; `waits` if neither comes. */
  const outcomeOf = async (work: Promise<string>, signal: AbortSignal): Promise<string> =>
    await Promise.race([
      unlessTimeIsUp(work, signal).catch(messageOf),
      new Promise<string>((resolve) => setImmediate(resolve, 'waits')),
    ]);

  it('has its own result or error if it ends in time', async () => {
    const { signal } = new AbortController();
    expect(await outcomeOf(Promise.resolve('done'), signal)).toBe('done');
    expect(await outcomeOf(Promise.reject(new Error('refused')), signal)).toBe('refused');
    expect(await outcomeOf(hangs, signal)).toBe('waits');
  });

  it('fails once the time is up', async () => {
    const end = new AbortController();
    const outcome = outcomeOf(hangs, end.signal);
    end.abort();
    expect(await outcome).toMatch(/^the time of the invocation was up/);
  });

  it('fails at once if the time was up before it began', async () => {
    expect(await outcomeOf(hangs, AbortSignal.abort())).toMatch(/^the time of the invocation was up/);
  });
});
