/** The time as a capability may know it: given, never taken from the machine, so that an hour can pass in a test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
