import type { VirtualClock } from '@drover/cloud-sandbox/simulation';

/** Lets time pass on a clock without a world. */
export function advance(clock: VirtualClock, milliseconds: number): void {
  const until = clock.now() + milliseconds;
  while (clock.step(until));
  clock.moveTo(until);
}
