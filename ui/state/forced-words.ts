import type { LeavingView } from './types.ts';
import { duration } from './words.ts';

type Forced = Pick<LeavingView, 'until' | 'isForced'>;
type TimeOf = (milliseconds: number, now: number) => string;

/**
 * Until when pods may keep their node, and what happens then: `forced at 16:49 at the latest`. Pods get their own grace, so they are deleted
 * before the deadline. Empty where there is none. Pure.
 */
export function forcedWords({ until, isForced }: Forced, now: number, timeOf: TimeOf): string {
  if (until === undefined) return '';
  const time = timeOf(until, now);
  if (until <= now) return `forced since ${time}`;
  return isForced ? `forced past budgets, deadline ${time}` : `forced at ${time} at the latest`;
}

/** The same with the time that is left. Pure. */
export function deadlineWords(leaving: Forced, now: number, timeOf: TimeOf): string {
  const { until = now } = leaving;
  const words = forcedWords(leaving, now, timeOf);
  return until > now ? `${words}, in ${duration(until - now)}` : words;
}
