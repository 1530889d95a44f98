import type { Random, SimulationClock, Timer } from '@drover/cloud-sandbox/simulation';

/**
 * The AWS SDK waits between its attempts on the machine's timer, for as long as the machine's chance says. While `run` is
 * under way both are the simulation's, or a seed would not give the same run twice.
 */
export async function onSimulatedTime<Result>(
  { clock, random }: { readonly clock: SimulationClock; readonly random: Random },
  run: () => Promise<Result>,
): Promise<Result> {
  const before = { setTimeout, clearTimeout, random: Math.random };
  const set = (task: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]): Timer =>
    clock.after(milliseconds, () => task(...args));
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: (timer: Timer | undefined) => timer?.cancel(),
  });
  Math.random = () => random.next();
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout: before.setTimeout, clearTimeout: before.clearTimeout });
    Math.random = before.random;
  }
}
