import type { SimulationClock } from '../../simulation/clock.ts';
import { StatusError } from '../api/status-error.ts';

/** Keys to look at, each once however often it was added before its turn: client-go's work queue on simulated time. */
export interface WorkQueue {
  add(key: string): void;
  addAfter(key: string, delayMilliseconds: number): void;
}

/** How long a controller takes to see a change and act: short against all that a drain waits for. */
const reactionMilliseconds = 10;

/** What the API refused a controller is tried again, as client-go does after its back-off. */
const retryMilliseconds = 5_000;

export function createWorkQueue(clock: SimulationClock, reconcile: (key: string) => void): WorkQueue {
  let waiting = new Set<string>();
  const attempt = (key: string): void => {
    try {
      reconcile(key);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      clock.after(retryMilliseconds, () => add(key));
    }
  };
  const work = (): void => {
    const keys = waiting;
    waiting = new Set();
    for (const key of keys) attempt(key);
  };
  const add = (key: string): void => {
    if (waiting.size === 0) clock.after(reactionMilliseconds, work);
    waiting.add(key);
  };
  return { add, addAfter: (key, delayMilliseconds) => void clock.after(delayMilliseconds, () => add(key)) };
}

/** `namespace/name` of a queue key. */
export function splitKey(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}
