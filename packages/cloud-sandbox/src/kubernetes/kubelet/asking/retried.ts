import type { Living } from './living.ts';
import { KubeletProblem } from './machine.ts';

/** The certificate manager's back-off: 2, 4, 8 and 16 seconds, then 32 each time. */
export const rotationSeconds = (attempt: number): number => Math.min(32, 2 ** (attempt + 1));

/** Tries until it succeeds, and logs why it did not. */
export async function retried<T>(
  { machine, onLine }: Living,
  pauseSeconds: (attempt: number) => number,
  attemptOnce: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!isExpected(error)) throw error;
      onLine(`kubelet: ${error.message}`);
      await machine.sleepUntil(machine.clock.now() + pauseSeconds(attempt) * 1000);
    }
  }
}

/** A refusal, or a connection that broke. */
const isExpected = (error: unknown): error is Error =>
  error instanceof KubeletProblem || (error instanceof Error && 'code' in error);
