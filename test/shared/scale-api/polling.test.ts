import { describe, expect, it } from 'vitest';
import { waitSecondsOf, waitUntil } from '../../../shared/scale-api/polling.ts';

describe('the wait of a request', () => {
  it('is the given number of seconds, 0 by default', () => {
    expect(waitSecondsOf({})).toBe(0);
    expect(waitSecondsOf({ wait: '20' })).toBe(20);
  });

  it.each([
    [0, [0]],
    [1, [0]],
    [5, [0, 2, 4]],
    [6, [0, 2, 4, 6]],
  ])('of %i s observes every two seconds, and never after its end', async (seconds, times) => {
    let now = 0;
    const observed: number[] = [];
    const pause = async (milliseconds: number) => {
      if (observed.length > times.length) throw new Error('it waits without end');
      now += milliseconds;
    };
    const observe = async () => observed.push(now / 1000);
    await waitUntil({ now: () => now, pause }, { seconds, observe, isOver: () => false });
    expect(observed).toEqual(times);
  });

  it('ends as soon as the state is final', async () => {
    const states = ['waiting', 'met', 'over'];
    const observe = async () => states.shift();
    const context = { now: () => 0, pause: async () => undefined };
    expect(await waitUntil(context, { seconds: 20, observe, isOver: (state) => state === 'met' })).toBe(
      'met',
    );
    expect(states).toEqual(['over']);
  });
});
