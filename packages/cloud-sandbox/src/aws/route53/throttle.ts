import type { Clock } from '../../simulation/clock.ts';
import { route53Errors } from './errors.ts';

/** Throws Throttling for a call that comes while there have been so many within the second before it. */
export function createThrottle(clock: Clock, requestsPerSecond: number): () => void {
  let recent: readonly number[] = [];
  return () => {
    const now = clock.now();
    recent = recent.filter((at) => at > now - 1000);
    if (recent.length >= requestsPerSecond) throw route53Errors.throttling();
    recent = [...recent, now];
  };
}
