import type { SimulationClock, Timer } from '../../../../local/simulation/clock.ts';

export interface VirtualClock extends SimulationClock {
  /** Runs everything that is due in the next seconds, in order, and moves the time there. */
  advance(seconds: number): void;
}

interface Task {
  readonly at: number;
  readonly sequence: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Starts at 2026-11-21T08:00:00Z. */
export function createVirtualClock(start: number = Date.UTC(2026, 10, 21, 8)): VirtualClock {
  const heap: Task[] = [];
  let now = start;
  let sequence = 0;
  return {
    now: () => now,
    after: (delayMilliseconds, run): Timer => {
      const task = { at: now + Math.max(0, delayMilliseconds), sequence: sequence++, run, cancelled: false };
      push(heap, task);
      return {
        cancel: () => {
          task.cancelled = true;
        },
      };
    },
    advance: (seconds) => {
      const end = now + seconds * 1000;
      for (let task = heap[0]; task !== undefined && task.at <= end; task = heap[0]) {
        pop(heap);
        now = task.at;
        if (!task.cancelled) task.run();
      }
      now = end;
    },
  };
}

const before = (one: Task, other: Task): boolean =>
  one.at < other.at || (one.at === other.at && one.sequence < other.sequence);

function push(heap: Task[], task: Task): void {
  let index = heap.push(task) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!swapIfBefore(heap, index, parent)) return;
    index = parent;
  }
}

function pop(heap: Task[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  let index = 0;
  for (;;) {
    const left = index * 2 + 1;
    const right = left + 1;
    const smaller = precedes(heap, right, left) ? right : left;
    if (!swapIfBefore(heap, smaller, index)) return;
    index = smaller;
  }
}

function precedes(heap: readonly Task[], one: number, other: number): boolean {
  const first = heap[one];
  const second = heap[other];
  return first !== undefined && second !== undefined && before(first, second);
}

function swapIfBefore(heap: Task[], child: number, parent: number): boolean {
  const lower = heap[child];
  const upper = heap[parent];
  if (lower === undefined || upper === undefined || !before(lower, upper)) return false;
  heap[child] = upper;
  heap[parent] = lower;
  return true;
}
