import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { partReader } from '../../../../cli/ui/look/part.ts';
import { unknownParts } from '../../../../cli/ui/look/unknown-parts.ts';
import { advance } from '../advance.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a part', () => {
  it('is known while it can be read', async () => {
    const read = partReader({ clock: createVirtualClock() }, async (word: string) => `read ${word}`);
    expect(await read('one')).toEqual({ kind: 'known', value: 'read one' });
    expect(await read('two')).toEqual({ kind: 'known', value: 'read two' });
  });

  it('is unknown, with the reason and its cause, until it is read for the first time', async () => {
    const read = partReader({ clock: createVirtualClock() }, () =>
      Promise.reject(new Error('denied', { cause: new Error('by a policy') })),
    );
    expect(await read()).toEqual({ kind: 'unknown', reason: 'denied: by a policy' });
  });

  it('is shown as it was once it cannot be read any more, and is known again afterwards', async () => {
    const clock = createVirtualClock();
    let fails = false;
    const read = partReader({ clock }, () =>
      fails ? Promise.reject(new Error('throttled')) : Promise.resolve(7),
    );
    await read();
    const at = clock.now();
    fails = true;
    advance(clock, 5000);
    expect(await read()).toEqual({ kind: 'stale', value: 7, at, reason: 'throttled' });
    fails = false;
    expect(await read()).toEqual({ kind: 'known', value: 7 });
  });

  it('that hangs is unknown after ten seconds, and is not asked for a second time beside itself', async () => {
    const clock = createVirtualClock();
    const { promise, resolve } = Promise.withResolvers<string>();
    let calls = 0;
    const read = partReader({ clock }, () => {
      calls += 1;
      return calls === 1 ? promise : Promise.resolve('the second');
    });
    const first = read();
    advance(clock, 10_000);
    expect(await first).toEqual({ kind: 'unknown', reason: 'no answer within 10 s' });
    const second = read();
    resolve('late');
    expect(await second).toEqual({ kind: 'known', value: 'late' });
    expect(calls).toBe(1);
    expect(await read()).toEqual({ kind: 'known', value: 'the second' });
  });

  it('whose late reading fails leaves no unhandled rejection', async () => {
    const clock = createVirtualClock();
    const { promise, reject } = Promise.withResolvers<string>();
    const read = partReader({ clock }, () => promise);
    const first = read();
    advance(clock, 10_000);
    await first;
    reject(new Error('reset'));
    await settled();
    expect((await read()).kind).toBe('unknown');
  });

  it('with a maximum age is not read again before', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    const read = partReader({ clock, maximumAgeSeconds: 30 }, () => Promise.resolve((calls += 1)));
    await read();
    advance(clock, 29_000);
    expect(await read()).toEqual({ kind: 'known', value: 1 });
    advance(clock, 1000);
    expect(await read()).toEqual({ kind: 'known', value: 2 });
  });
});

describe('the unknown parts', () => {
  it('are named with their reasons; those with one reason together', () => {
    const at = Date.UTC(2026, 0, 5, 8);
    expect(
      unknownParts({
        groups: { kind: 'known', value: 1 },
        holds: { kind: 'unknown', reason: 'denied\nby a policy' },
        schedules: { kind: 'unknown', reason: 'denied\nby a policy' },
        nodes: { kind: 'stale', value: 1, at, reason: 'no answer' },
        pods: undefined,
      }),
    ).toEqual([
      { what: 'holds, schedules', reason: 'unknown: denied by a policy' },
      { what: 'nodes', reason: 'shown as of 2026-01-05T08:00:00Z: no answer' },
    ]);
  });
});
