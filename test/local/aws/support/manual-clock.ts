import type { SimulationClock, Timer } from '../../../../local/simulation/clock.ts';

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until a test moves it; due tasks run in order of time, then of setting. */
export function createManualClock(startMilliseconds = Date.parse('2026-06-01T00:00:00Z')): SimulationClock & {
  advance(milliseconds: number): void;
} {
  let now = startMilliseconds;
  const tasks = new Set<Task>();
  const nextDue = (until: number): Task | undefined =>
    [...tasks].filter(({ at }) => at <= until).sort((left, right) => left.at - right.at)[0];
  return {
    now: () => now,
    after: (delayMilliseconds, run): Timer => {
      const task = { at: now + delayMilliseconds, run };
      tasks.add(task);
      return { cancel: () => tasks.delete(task) };
    },
    advance: (milliseconds) => {
      const until = now + milliseconds;
      for (let task = nextDue(until); task !== undefined; task = nextDue(until)) {
        tasks.delete(task);
        now = task.at;
        task.run();
      }
      now = until;
    },
  };
}
