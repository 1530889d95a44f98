import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { again, backoffSeconds, done, waitSeconds } from '../../../shared/passes/outcome.ts';

describe('a wait', () => {
  it.each([
    [7, 7],
    [6.2, 7],
    [0, 1],
    [-5, 1],
    [21, 20],
    [Infinity, 20],
    [Number.NaN, 1],
  ])('of %d s hides the message for %d s', (afterSeconds, seconds) => {
    expect(waitSeconds({ status: 'again', afterSeconds, reason: 'held' })).toBe(seconds);
  });
});

describe('a backoff', () => {
  it.each([
    [1, 0, 1],
    [1, 1, 2],
    [2, 0, 2],
    [2, 1, 4],
    [3, 1, 8],
    [4, 0.5, 12],
    [5, 1, 20],
    [900, 0, 10],
    [900, 1, 20],
  ])('after %d receipts with chance %d is %d s', (receiveCount, chance, seconds) => {
    expect(backoffSeconds(receiveCount, chance)).toBe(seconds);
  });

  it('is always a whole number of seconds from 1 to 20', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }), (receiveCount, chance) => {
        const seconds = backoffSeconds(receiveCount, chance);
        expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 20).toBe(true);
      }),
    );
  });
});

describe('an outcome', () => {
  it('has a kind, a reason and optional facts', () => {
    expect(done('gone')).toEqual({ status: 'done', reason: 'gone' });
    expect(done('gone', { pods: 3 })).toEqual({ status: 'done', reason: 'gone', facts: { pods: 3 } });
    expect(again(5, 'held')).toEqual({ status: 'again', afterSeconds: 5, reason: 'held' });
    expect(again(5, 'held', { pods: 3 })).toMatchObject({ facts: { pods: 3 } });
  });
});
