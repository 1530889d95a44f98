import type { Seen } from './types.ts';

/** Up to when something is known: to now, or to its last reading. Pure. */
export const momentOf = ({ seenAt }: Seen, now: number): number => Math.min(seenAt ?? now, now);

/** `as of 16:40`; empty if it is current. Pure. */
export const asOfWords = (
  { seenAt }: Seen,
  now: number,
  timeOf: (milliseconds: number, now: number) => string,
): string => (seenAt === undefined || seenAt >= now ? '' : `as of ${timeOf(seenAt, now)}`);
