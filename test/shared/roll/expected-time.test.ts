import { expect, it } from 'vitest';
import { expectedTime } from '../../../shared/roll/expected-time.ts';
import { defaultBounds } from '../../../shared/roll/roll.ts';

const spans = (...seconds: readonly number[]) =>
  seconds.map((one) => ({ startedAt: 0, endedAt: one * 1000 }));

const history = { launches: spans(100, 3000, 120), terminations: spans(60, 60) };

it('is that of the canary, its bake and the rest one after the other, as the median of the past', () => {
  expect(expectedTime(3, defaultBounds, history)).toEqual({
    seconds: 3 * (120 + 60 + 60) + 300,
    launchSeconds: 120,
    terminationSeconds: 60,
  });
});

it('is divided by how many go at once', () => {
  const bounds = { ...defaultBounds, canary: 0, surge: 3, maxUnavailable: 1 };
  expect(expectedTime(9, bounds, history)?.seconds).toBe(3 * 240);
});

it('has no bake if the canary is the only one, and no group of its role follows', () => {
  expect(expectedTime(1, defaultBounds, history)?.seconds).toBe(240);
  expect(expectedTime(1, defaultBounds, history, { isFollowed: true })?.seconds).toBe(240 + 300);
});

it('is without drains if none has been seen, and unknown without a launch', () => {
  const launches = history.launches;
  expect(expectedTime(1, defaultBounds, { launches, terminations: [] })).toEqual({
    seconds: 180,
    launchSeconds: 120,
  });
  expect(expectedTime(1, defaultBounds, { launches: [], terminations: [] })).toBeUndefined();
});
