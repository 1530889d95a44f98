import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRealClock } from '../../src/simulation/real-clock.ts';

const start = Date.UTC(2026, 0, 5);

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a real clock that is not started advances only in steps', () => {
  const clock = createRealClock({ speed: 1, leadSeconds: 60 });
  expect(clock.now()).toBe(start - 60_000);
  vi.advanceTimersByTime(5000);
  expect(clock.now()).toBe(start - 60_000);
  clock.moveTo(start);
  clock.start();
  vi.advanceTimersByTime(5000);
  expect(clock.now()).toBe(start + 5000);
});

test('a real clock runs tasks in order at their time, at the given speed', () => {
  const clock = createRealClock({ speed: 10 });
  const ran: string[] = [];
  clock.after(20_000, () => ran.push('second'));
  clock.start();
  clock.after(10_000, () => ran.push('first'));
  clock.after(15_000, () => ran.push('never')).cancel();
  vi.advanceTimersByTime(999);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ran).toEqual(['first']);
  vi.advanceTimersByTime(1000);
  expect(ran).toEqual(['first', 'second']);
  expect(clock.now()).toBe(start + 20_000);
});

test('a real clock runs a task that was scheduled by another task', () => {
  const clock = createRealClock({ speed: 1 });
  const times: number[] = [];
  const beat = (): void => {
    times.push(clock.now() - start);
    clock.after(1000, beat);
  };
  clock.start();
  beat();
  vi.advanceTimersByTime(3500);
  expect(times).toEqual([0, 1000, 2000, 3000]);
});

test('a real clock keeps a wait that is longer than the maximum of setTimeout', () => {
  const clock = createRealClock({ speed: 1 });
  let ran = false;
  const days = 86_400_000;
  clock.start();
  clock.after(40 * days, () => {
    ran = true;
  });
  vi.advanceTimersByTime(39 * days);
  expect(ran).toBe(false);
  vi.advanceTimersByTime(days);
  expect(ran).toBe(true);
});

test('a stopped real clock runs no task', () => {
  const clock = createRealClock({ speed: 1 });
  let ran = false;
  clock.start();
  clock.after(1000, () => {
    ran = true;
  });
  clock.stop();
  vi.advanceTimersByTime(5000);
  expect(ran).toBe(false);
});
