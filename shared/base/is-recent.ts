/**
 * Whether a time lies within the last seconds. A time that is ahead does not: the clock was set back since, and what was noted then would
 * count until it has caught up. Pure.
 */
export function isRecent(
  at: number,
  { now, seconds }: { readonly now: number; readonly seconds: number },
): boolean {
  const passed = now - at;
  return passed >= 0 && passed < seconds * 1000;
}
