/** From the end of a reading to the next. */
export const shortestPause = 5000;
const longestPause = 60_000;

/** How a reading went. */
interface ReadingCourse {
  readonly tookMilliseconds: number;
  /** AWS or the API server asked for fewer calls. */
  readonly isThrottled: boolean;
}

/**
 * The pause after a reading, in milliseconds: as long as the reading was, for a large cluster behind a slow network, and twice the former
 * one while AWS or the API server asks for fewer calls. Pure.
 */
export const nextPause = (former: number, { tookMilliseconds, isThrottled }: ReadingCourse): number =>
  Math.min(longestPause, Math.max(shortestPause, tookMilliseconds, isThrottled ? former * 2 : 0));
