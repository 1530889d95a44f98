import { expect, it } from 'vitest';
import { lazily } from '../../../shared/base/lazily.ts';

it('makes the value on first use, and only once', () => {
  let made = 0;
  const value = lazily(() => {
    made += 1;
    return { made };
  });
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});

it('keeps a value that is undefined', () => {
  const asked: string[] = [];
  const value = lazily(() => void asked.push('asked'));
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(asked).toHaveLength(1);
});

it('keeps a promise, but not its failure: who waits has it, and the next use tries again', async () => {
  const outcomes = [() => Promise.reject(new Error('not yet')), () => Promise.resolve('made')];
  const value = lazily(() => outcomes.shift()?.() ?? Promise.reject(new Error('asked once too often')));
  const both = await Promise.allSettled([value(), value()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([value(), value()])).toEqual(['made', 'made']);
  await expect(value()).resolves.toBe('made');
});

it('tries again after a failure', () => {
  const outcomes: (() => string)[] = [
    () => {
      throw new Error('not yet');
    },
    () => 'made',
  ];
  const value = lazily(() => outcomes.shift()?.());
  expect(() => value()).toThrow('not yet');
  expect([value(), value()]).toEqual(['made', 'made']);
});
