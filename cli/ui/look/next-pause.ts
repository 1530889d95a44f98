import type { UnknownView } from '../../../ui/state/types.ts';

/** From the end of a reading to the next. */
export const shortestPause = 5000;
const longestPause = 60_000;

/** How a reading went. */
export interface ReadingCourse {
  readonly tookMilliseconds: number;
  readonly unknown: readonly UnknownView[];
}

/**
 * The pause after a reading, in milliseconds: as long as the reading was, for a large cluster behind a slow network, and twice the former
 * one while AWS or the API server asks for fewer calls. Pure.
 */
export function nextPause(former: number, { tookMilliseconds, unknown }: ReadingCourse): number {
  const isThrottled = unknown.some((part) => part.isThrottled);
  return Math.min(longestPause, Math.max(shortestPause, tookMilliseconds, isThrottled ? former * 2 : 0));
}
