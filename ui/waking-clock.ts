/** The times that a browser reports, in milliseconds. */
export interface Reading {
  /** Never goes back. Most browsers leave out the time in which the machine slept. */
  readonly sinceStart: number;
  /** Goes on while the machine sleeps. Can be set to any other time. */
  readonly timeOfDay: number;
}

/** Milliseconds since the clock was made, sleep included: of the two times, the one that has gone on further since the last call. */
export function wakingClock(read: () => Reading): () => number {
  let last = read();
  let passed = 0;
  return () => {
    const next = read();
    passed += Math.max(next.sinceStart - last.sinceStart, next.timeOfDay - last.timeOfDay);
    last = next;
    return passed;
  };
}
