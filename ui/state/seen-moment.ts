import type { LeavingView } from './types.ts';

type Seen = Pick<LeavingView, 'seenAt'>;

/** Up to when a drain is known: to now, or to the last reading of its Node. Pure. */
export const momentOf = ({ seenAt }: Seen, now: number): number => Math.min(seenAt ?? now, now);

/** `as of 16:40`; empty where the drain is as it is now. Pure. */
export const asOfWords = (
  { seenAt }: Seen,
  now: number,
  timeOf: (milliseconds: number, now: number) => string,
): string => (seenAt === undefined || seenAt >= now ? '' : `as of ${timeOf(seenAt, now)}`);
