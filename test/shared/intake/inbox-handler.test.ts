import { describe, expect, it } from 'vitest';
import { type SampleName, sampleText } from '../../../events/index.ts';
import { createInboxHandler } from '../../../shared/intake/inbox-handler.ts';
import type { VisibilityChange } from '../../../shared/passes/queue.ts';
import { createLines, startedAt } from '../../support/queue-lines.ts';

const attributes = {
  ApproximateReceiveCount: '1',
  ApproximateFirstReceiveTimestamp: String(startedAt),
  SentTimestamp: String(startedAt),
};

/** Handles one message with 20 seconds left, and returns what was hidden before anything else happened. */
async function hiddenFirst(body: string): Promise<readonly VisibilityChange[]> {
  const { world } = createLines(startedAt);
  const hidden: VisibilityChange[] = [];
  const changeVisibility = (changes: readonly VisibilityChange[]) => {
    hidden.push(...changes);
    return Promise.resolve([]);
  };
  const handler = createInboxHandler({
    ...world,
    queue: { changeVisibility, park: () => Promise.resolve([]) },
    takeIn: () =>
      Promise.resolve({ sent: [], woken: [], leftAlone: [], poison: [], postponed: [], failed: new Map() }),
  });
  await handler(
    { Records: [{ messageId: 'm-1', receiptHandle: 'r-1', body, attributes }] },
    { awsRequestId: 'r', functionName: 'intake', getRemainingTimeInMillis: () => 20_000 },
  );
  return hidden;
}

describe('the handler of intake', () => {
  it('answers before it is killed: each arrival that hangs has failed with the reason, and returns', async () => {
    const { world, logged } = createLines(startedAt);
    const kill = new AbortController();
    const handler = createInboxHandler({
      ...world,
      queue: { changeVisibility: () => Promise.resolve([]), park: () => Promise.resolve([]) },
      takeIn: () => {
        kill.abort();
        return new Promise(() => undefined);
      },
    });
    const record = {
      messageId: 'm-1',
      receiptHandle: 'r-1',
      body: sampleText('terminate-action'),
      attributes,
    };
    const context = {
      awsRequestId: 'r',
      functionName: 'intake',
      getRemainingTimeInMillis: () => 4000,
      signal: kill.signal,
    };
    expect(await handler({ Records: [record] }, context)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-1' }],
    });
    expect(JSON.stringify(logged())).toContain('the time of the invocation was up');
  });

  it.each(['spot-interruption-terminate', 'capacity-reservation-interruption'] satisfies SampleName[])(
    'has %s come back as soon as a kill is over, for it may have two minutes',
    async (name) => {
      const soon = [{ receiptHandle: 'r-1', seconds: 25 }];
      expect(await hiddenFirst(sampleText(name))).toEqual(soon);
      expect(await hiddenFirst(JSON.stringify({ Message: sampleText(name) }))).toEqual(soon);
    },
  );

  it.each(['terminate-action', 'rebalance-recommendation', 'health-retirement'] satisfies SampleName[])(
    'makes no call for %s, which has time',
    async (name) => {
      expect(await hiddenFirst(sampleText(name))).toEqual([]);
    },
  );
});

it.each<[SampleName, number]>([
  ['spot-interruption-terminate', 20],
  ['terminate-action', 60],
])('a %s that keeps failing is tried again within %i seconds', async (name, seconds) => {
  const { world } = createLines(startedAt);
  const hidden: VisibilityChange[] = [];
  const failed = new Map([['m-1', new Error('throttled')]]);
  const handler = createInboxHandler({
    ...world,
    queue: {
      changeVisibility: async (changes) => {
        hidden.push(...changes);
        return [];
      },
      park: async () => [],
    },
    takeIn: async () => ({ sent: [], woken: [], postponed: [], leftAlone: [], poison: [], failed }),
  });
  const often = { ...attributes, ApproximateReceiveCount: '100' };
  const record = { messageId: 'm-1', receiptHandle: 'r-1', body: sampleText(name), attributes: often };
  const context = { awsRequestId: 'r', functionName: 'intake', getRemainingTimeInMillis: () => 20_000 };
  await handler({ Records: [record] }, context);
  expect(hidden.at(-1)?.seconds).toBeGreaterThanOrEqual(seconds / 2);
  expect(hidden.at(-1)?.seconds).toBeLessThanOrEqual(seconds);
});

it('a batch of events is answered after those that failed are hidden, because nothing runs after the answer', async () => {
  const { world } = createLines(startedAt);
  const hidden: VisibilityChange[] = [];
  const handler = createInboxHandler({
    ...world,
    queue: {
      changeVisibility: async (changes) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        hidden.push(...changes);
        return [];
      },
      park: () => Promise.resolve([]),
    },
    takeIn: () =>
      Promise.resolve({
        sent: [],
        woken: [],
        leftAlone: [],
        poison: [],
        postponed: [],
        failed: new Map([['m-1', new Error('throttled')]]),
      }),
  });
  const record = { messageId: 'm-1', receiptHandle: 'r-1', body: sampleText('terminate-action'), attributes };
  const context = { awsRequestId: 'r', functionName: 'intake', getRemainingTimeInMillis: () => 20_000 };
  await handler({ Records: [record] }, context);
  expect(hidden).toHaveLength(1);
});

describe('an event of a direct invocation', () => {
  const invoke = (takeIn: Parameters<typeof createInboxHandler>[0]['takeIn']) => {
    const { world } = createLines(startedAt);
    const queue = { changeVisibility: () => Promise.resolve([]), park: () => Promise.resolve([]) };
    const context = { awsRequestId: 'r', functionName: 'intake', getRemainingTimeInMillis: () => 20_000 };
    return createInboxHandler({ ...world, queue, takeIn })(
      JSON.parse(sampleText('terminate-action')),
      context,
    );
  };

  it('fails the invocation if its subject could not be sent, because no queue would bring it back', async () => {
    const answer = invoke(async ([arrival]) => ({
      sent: [],
      woken: [],
      leftAlone: [],
      poison: [],
      postponed: [],
      failed: new Map([[arrival?.key ?? '', new Error('throttled')]]),
    }));
    await expect(answer).rejects.toMatchObject({ name: 'IntakeError', errors: [new Error('throttled')] });
  });

  it('fails the invocation with an error that is not the end of its time', async () => {
    await expect(invoke(() => Promise.reject(new Error('a fault of ours')))).rejects.toThrow(
      'a fault of ours',
    );
  });
});
