/** The injected time. Capabilities never read the machine's clock, so that an hour can pass in a test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Timer {
  cancel(): void;
}

/** A clock that also calls back. Do not wait for a task: it runs beside work, and its owner cancels it when the work ends. */
export interface TimerClock extends Clock {
  after(delayMilliseconds: number, task: () => void): Timer;
}

/** Resolves once so much time of the clock has passed. */
export const pause = (clock: TimerClock, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
