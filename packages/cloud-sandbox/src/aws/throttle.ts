import type { Clock } from '../simulation/clock.ts';

export interface Throttle {
  readonly clock: Clock;
  readonly requestsPerSecond: number;
  /** The error of the service. */
  readonly refusal: () => Error;
}

/** Throws the refusal for a call that comes while there have been so many within the second before it. */
export function createThrottle({ clock, requestsPerSecond, refusal }: Throttle): () => void {
  let recent: readonly number[] = [];
  return () => {
    const now = clock.now();
    recent = recent.filter((at) => at > now - 1000);
    if (recent.length >= requestsPerSecond) throw refusal();
    recent = [...recent, now];
  };
}

/** The same operations, each of them refused where `admit` throws. */
export function throttled<Operations extends object>(operations: Operations, admit: () => void): Operations {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    (...call: readonly unknown[]) => {
      admit();
      return (operation as (...call: readonly unknown[]) => unknown)(...call);
    },
  ]);
  return Object.fromEntries(entries) as Operations;
}
