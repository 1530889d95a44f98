/** The time, given and never taken from the machine, so that an hour can pass in a test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Timer {
  cancel(): void;
}

/**
 * The clock that a simulation is given: what moves its state besides calls. A task runs when its time has come, tasks of
 * the same millisecond in the order in which they were set.
 */
export interface SimulationClock extends Clock {
  /** `delayMilliseconds` is simulated time, 0 or more. */
  after(delayMilliseconds: number, task: () => void): Timer;
}
