import { describe, expect, it } from 'vitest';
import { createOneAtATime } from '../../../shared/draining/one-at-a-time.ts';

/** Work that ends when it is told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    },
    end: async (name: string) => {
      ends.get(name)?.resolve(name);
      await new Promise(setImmediate);
    },
    fail: async (name: string) => {
      ends.get(name)?.reject(new Error(`${name} has failed`));
      await new Promise(setImmediate);
    },
  };
}

describe('taking turns', () => {
  it('starts the work of a key when the work before it has ended, and returns each its own result', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end } = works();
    const all = Promise.all(['a', 'b', 'c'].map((name) => oneAtATime('web', work(name))));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    await end('c');
    expect(await all).toEqual(['a', 'b', 'c']);
  });

  it('does not delay other keys', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end } = works();
    const all = Promise.all([oneAtATime('web', work('a')), oneAtATime('db', work('b'))]);
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    await end('b');
    await all;
  });

  it('fails work that waits behind a failure, and none that comes later', async () => {
    const oneAtATime = createOneAtATime();
    const { begun, work, end, fail } = works();
    const waiting = Promise.allSettled([oneAtATime('web', work('a')), oneAtATime('web', work('b'))]);
    await new Promise(setImmediate);
    await fail('a');
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = oneAtATime('web', work('c'));
    await new Promise(setImmediate);
    await end('c');
    expect(await later).toBe('c');
    expect(begun).toEqual(['a', 'c']);
  });
});
