/**
 * How long a test and a hook may take, in milliseconds. It ends what hangs, and measures nothing: a shared machine may be ten times
 * slower than the day before.
 */
export const patience = { testTimeout: 180_000, hookTimeout: 180_000 } as const;
