import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { oldSince, partReader } from '../../../cli/observation/part.ts';
import { unknownParts } from '../../../cli/ui/look/unknown-parts.ts';
import { advance } from '../ui/advance.ts';

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

describe('a part that depends on what it is asked for', () => {
  const keyOf = ([name]: readonly [string]) => name;

  it('is read again for something else, although it is new', async () => {
    const clock = createVirtualClock();
    const read = partReader({ clock, keyOf, maximumAgeSeconds: 30 }, async (name: string) => `read ${name}`);
    await read('one');
    expect(await read('two')).toEqual({ kind: 'known', value: 'read two' });
  });

  it('is not given the answer to a question that was asked before and hung', async () => {
    const clock = createVirtualClock();
    const { promise, resolve } = Promise.withResolvers<string>();
    const asked: string[] = [];
    const read = partReader({ clock, keyOf }, (name: string) => {
      asked.push(name);
      return asked.length === 1 ? promise : Promise.resolve(`read ${name}`);
    });
    const first = read('one');
    advance(clock, 10_000);
    await first;
    const second = read('two');
    await settled();
    expect(asked).toEqual(['one']);
    resolve('read one');
    expect(await second).toEqual({ kind: 'known', value: 'read two' });
  });

  it('is read again although the clock was set back', async () => {
    let now = Date.UTC(2026, 0, 5, 8);
    let calls = 0;
    const clock = { now: () => now, after: () => ({ cancel: () => undefined }) };
    const read = partReader({ clock, maximumAgeSeconds: 30 }, async () => (calls += 1));
    await read();
    now -= 3_600_000;
    expect(await read()).toEqual({ kind: 'known', value: 2 });
  });
});

describe('a part of a service that asks for fewer calls', () => {
  const named = (name: string) => Object.assign(new Error('too many'), { name });

  it.each([
    ['AWS', named('ThrottlingException')],
    [
      'AWS, under the error that a command makes of it',
      new Error('no groups', { cause: named('Throttling') }),
    ],
    ['the API server or the scale API', Object.assign(new Error('too many'), { statusCode: 429 })],
  ])('says so: %s', async (_, error) => {
    const read = partReader({ clock: createVirtualClock() }, () => Promise.reject(error));
    const part = await read();
    expect(part).toMatchObject({ kind: 'unknown', isThrottled: true });
    expect(unknownParts({ groups: part })).toMatchObject([{ what: 'groups', isThrottled: true }]);
  });

  it('does not include other errors', async () => {
    const error = Object.assign(new Error('denied'), { statusCode: 403 });
    const read = partReader({ clock: createVirtualClock() }, () => Promise.reject(error));
    expect(await read()).toEqual({ kind: 'unknown', reason: 'denied' });
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

describe('the age of a page', () => {
  const known = { kind: 'known', value: 1 } as const;
  const stale = (at: number) => ({ kind: 'stale', value: 1, at, reason: 'no answer' }) as const;
  const unknown = { kind: 'unknown', reason: 'no answer' } as const;

  it('is that of its oldest part once none could be read again', () => {
    expect(oldSince([stale(7), stale(5)])).toBe(5);
    expect(oldSince([stale(7), unknown])).toBe(7);
    expect(oldSince([stale(7), known])).toBeUndefined();
    expect(oldSince([unknown])).toBeUndefined();
  });
});
