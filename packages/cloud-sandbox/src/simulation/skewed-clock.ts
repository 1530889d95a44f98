import type { SimulationClock } from './clock.ts';

/** A clock that shows another time than the simulation's; an hour is as long on it. */
export const skewedClock = (clock: SimulationClock, offsetMilliseconds: () => number): SimulationClock => ({
  now: () => clock.now() + offsetMilliseconds(),
  after: (delayMilliseconds, task) => clock.after(delayMilliseconds, task),
});
