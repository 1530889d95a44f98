import type { SimulationClock } from './clock.ts';
import { createTaskHeap } from './task-heap.ts';

/** Time that passes only on request, so that an hour takes no longer than what happens in it. */
export interface VirtualClock extends SimulationClock {
  /** Runs what is due next, if it is due by `until` (epoch milliseconds), and moves the time there. False: nothing is. */
  step(until: number): boolean;
  /** When the next task is due, in epoch milliseconds; undefined: nothing is. */
  dueAt(): number | undefined;
  /** Moves the time to `until` without running anything that is due later. */
  moveTo(until: number): void;
}

/** 2026-01-05T08:00:00Z, a Monday morning. */
const firstMoment = Date.UTC(2026, 0, 5, 8);

export function createVirtualClock(start: number = firstMoment): VirtualClock {
  const heap = createTaskHeap();
  let now = start;
  let sequence = 0;

  const dropCancelled = (): void => {
    while (heap.peek()?.cancelled) heap.pop();
  };

  return {
    now: () => now,
    after: (delayMilliseconds, run) => {
      const task = { at: now + Math.max(0, delayMilliseconds), sequence, run, cancelled: false };
      sequence += 1;
      heap.push(task);
      return {
        cancel: () => {
          task.cancelled = true;
        },
      };
    },
    step: (until) => {
      dropCancelled();
      const next = heap.peek();
      if (next === undefined || next.at > until) return false;
      heap.pop();
      now = Math.max(now, next.at);
      next.run();
      return true;
    },
    dueAt: () => {
      dropCancelled();
      return heap.peek()?.at;
    },
    moveTo: (until) => {
      now = Math.max(now, until);
    },
  };
}
