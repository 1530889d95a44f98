/** Seconds by what was waited for. */
export type Waits = Readonly<Record<string, number>>;

export const addWait = (waits: Waits, cause: string, seconds: number): Waits => ({
  ...waits,
  [cause]: (waits[cause] ?? 0) + Math.max(0, seconds),
});

/** The sum of several; the longest first. */
export function sumOfWaits(all: readonly Waits[]): Waits {
  const sums = new Map<string, number>();
  for (const waits of all)
    for (const [cause, seconds] of Object.entries(waits)) sums.set(cause, (sums.get(cause) ?? 0) + seconds);
  return Object.fromEntries([...sums].toSorted(([, one], [, other]) => other - one));
}
