import type { SimulationClock } from '../../../src/simulation/clock.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';

/** A virtual clock that a test moves by hand. */
export function createManualClock(): SimulationClock & {
  /** Moves the time forward by `seconds` and runs in order what is due meanwhile. */
  advance(seconds: number): void;
} {
  const clock = createVirtualClock();
  return {
    now: () => clock.now(),
    after: (delayMilliseconds, task) => clock.after(delayMilliseconds, task),
    advance: (seconds) => {
      const until = clock.now() + seconds * 1000;
      let more = true;
      while (more) more = clock.step(until);
      clock.moveTo(until);
    },
  };
}
