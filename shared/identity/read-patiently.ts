import { pause, type TimerClock } from '../base/clock.ts';

/** What a read needs to wait for AWS if nothing that was kept can answer the caller. */
export interface Patience {
  readonly clock: TimerClock;
  /** A random number from 0 to 1. */
  readonly chance: () => number;
  /** Whether AWS refused the call for its rate. */
  readonly isThrottled: (error: unknown) => boolean;
}

/** Together at most 17 seconds. The whole answer is limited to 18, because the API server waits for 30. */
const waitsSeconds = [1, 2, 4, 4];

/**
 * Reads again if AWS refuses the call for its rate, after 1, 2, 4 and 4 seconds, each more or less by half at random: environments that were refused
 * together must not return together. It is for a new environment, which has nothing kept. One that has uses that, and leaves the rate to others.
 */
export async function readPatiently<Value>(
  { clock, chance, isThrottled }: Patience,
  read: () => Promise<Value>,
): Promise<Value> {
  for (const seconds of waitsSeconds) {
    try {
      return await read();
    } catch (error) {
      if (!isThrottled(error)) throw error;
    }
    await pause(clock, seconds * (0.5 + chance()) * 1000);
  }
  return await read();
}
