/** Shorter times may be noise, and count as this. */
const noiseSeconds = 0.02;
const measurements = 3;

/**
 * How many times as long `run` takes for a size four times as large: 4 if the time is linear, 16 if it grows with the square. A ratio says the
 * same on a slow or busy machine.
 */
export function growthOf(run: (size: number) => unknown, largest: number): number {
  return secondsOf(run, largest) / secondsOf(run, largest / 4);
}

/** At most this, with room for noise, for a time that does not grow with the square of the size. */
export const linearGrowth = 9;

function secondsOf(run: (size: number) => unknown, size: number): number {
  const times = Array.from({ length: measurements }, () => {
    const before = process.cpuUsage();
    run(size);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return Math.max(noiseSeconds, Math.min(...times));
}
