/** The injected time. Capabilities never read the machine's clock, so that an hour can pass in a test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
