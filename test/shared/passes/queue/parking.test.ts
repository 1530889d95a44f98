import { describe, expect, it } from 'vitest';
import { type Parcel, park } from '../../../../shared/passes/queue/finish-group.ts';
import { acknowledge, hideMessages, keep } from '../../../../shared/passes/queue/visibility.ts';
import { chance, type OutgoingMessage } from '../../../../shared/passes/queue.ts';
import { createLines, record, startedAt } from '../../../support/queue-lines.ts';

async function parked(parts: Partial<Parcel> = {}): Promise<OutgoingMessage | undefined> {
  const sent: OutgoingMessage[] = [];
  await park([{ messageId: 'm-1', body: 'hello', reason: 'no id', ...parts }], (messages) => {
    sent.push(...messages);
    return Promise.resolve([]);
  });
  return sent[0];
}

describe('a parked message', () => {
  it('has its reason and its source', async () => {
    const attributes = { reason: 'no id', originalMessageId: 'm-1' };
    expect(await parked()).toEqual({ body: 'hello', attributes });
    const fifo = { groupId: 'g', deduplicationId: 'parked-m-1' };
    expect(await parked({ groupId: 'g' })).toEqual({ body: 'hello', attributes, ...fifo });
  });

  it('is cut to the maximal size of a message, and its reason to that of an attribute', async () => {
    const whole = 'x'.repeat(1_000_000);
    expect((await parked({ body: whole }))?.body).toBe(whole);
    expect((await parked({ body: `${whole}y` }))?.body).toBe(whole);
    expect((await parked({ reason: 'r'.repeat(300) }))?.attributes?.reason).toHaveLength(256);
    expect((await parked({ reason: 'a\u0000b\nc' }))?.attributes?.reason).toBe('a b c');
    expect((await parked({ reason: '' }))?.attributes?.reason).toBe('unknown');
  });
});

describe('hiding', () => {
  it('applies to kept messages only, and is tried once more after a failure', async () => {
    const { world, logged } = createLines(startedAt);
    const asked: unknown[] = [];
    const changeVisibility = (changes: readonly { readonly receiptHandle: string }[]) => {
      asked.push(changes);
      return Promise.resolve([{ index: 0, error: new Error('refused') }]);
    };
    await hideMessages([acknowledge(record()), keep(record({ receiptHandle: 'kept' }), 7)], {
      queue: { changeVisibility },
      log: world.log,
    });
    const change = [{ receiptHandle: 'kept', seconds: 7 }];
    expect(asked).toEqual([change, change]);
    expect(logged()).toMatchObject([{ level: 'error', message: /could not be hidden/ }]);
  });
});

describe('chance', () => {
  it.each([
    [[0], 0],
    [[255], 1],
    [[51], 0.2],
    [[], 0],
  ])('from the bytes %j is %d', (bytes, expected) => {
    const { world } = createLines(startedAt);
    expect(chance({ ...world.host, randomBytes: () => Uint8Array.from(bytes) })).toBe(expected);
  });
});
