/**
 * How long a test, a hook and a poll may take, in milliseconds. It ends what hangs, and measures nothing: a shared machine may be ten times
 * slower than the day before.
 */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Left to itself, a poll gives up after one second.
  expect: { poll: { timeout: 60_000 } },
} as const;
