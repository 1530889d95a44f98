import { asOfWords, momentOf } from './seen-moment.ts';
import type { LeavingView } from './types.ts';
import { duration } from './words.ts';

type Forced = Pick<LeavingView, 'until' | 'isForced' | 'seenAt'>;
type TimeOf = (milliseconds: number, now: number) => string;

/**
 * Until when pods may keep their node, and what happens then: `forced at 16:49 at the latest`. Pods get their own grace, so they are deleted
 * before the deadline. Empty if there is none. Pure.
 */
export function forcedWords(leaving: Forced, now: number, timeOf: TimeOf): string {
  const { until, isForced } = leaving;
  if (until === undefined) return '';
  const time = timeOf(until, now);
  if (until <= momentOf(leaving, now)) return `forced since ${time}`;
  return isForced ? `forced past budgets, deadline ${time}` : `forced at ${time} at the latest`;
}

/** The same with the time that is left, or of when it is known. Pure. */
export function deadlineWords(leaving: Forced, now: number, timeOf: TimeOf): string {
  const { until = now } = leaving;
  const words = forcedWords(leaving, now, timeOf);
  const asOf = asOfWords(leaving, now, timeOf);
  if (asOf !== '') return `${words}, ${asOf}`;
  return until > now ? `${words}, in ${duration(until - now)}` : words;
}
