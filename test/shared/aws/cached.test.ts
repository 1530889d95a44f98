import { expect, it } from 'vitest';
import { cached } from '../../../shared/aws/cached.ts';

it('cached does not keep a failed read, so the next one calls again', async () => {
  const answers = [() => Promise.reject(new Error('throttled')), () => Promise.resolve('read')];
  const read = cached({
    clock: { now: () => 0 },
    seconds: 60,
    read: () => answers.shift()?.() ?? Promise.reject(new Error('asked too often')),
  });
  await expect(read('key')).rejects.toThrow('throttled');
  expect(await read('key')).toBe('read');
  expect(await read('key')).toBe('read');
});
