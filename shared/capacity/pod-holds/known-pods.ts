import { cutToBytes, fittingVerdicts, type PodsReading, type PodsRecord } from './pods-reading.ts';

/** prewarm looks each minute. A reading that waited longer in the queue may show less than there is now. */
const freshSeconds = 120;

/** In bytes: the record of a floor has 4,096 for all it remembers. */
const longestFailure = 300;

/**
 * What is known of a group with active holds for pods after a reading. A newer number counts at once if it is higher. A lower one counts only while it is
 * fresh: of a reading that came late, or failed, the higher of both numbers stays. A reading that is not newer than the remembered one, as of a message that
 * was delivered again, changes nothing. Pure.
 */
export function podsAfter(
  remembered: PodsRecord | undefined,
  reading: PodsReading | undefined,
  now: number,
): PodsRecord {
  const before = remembered ?? { nodes: 0, holds: {} };
  if (reading === undefined || !isNewer(reading, before, now)) return before;
  if (reading.kind === 'failed') {
    const since = before.failed?.since ?? reading.readAt;
    return { ...before, failed: { why: cutToBytes(reading.why, longestFailure), since } };
  }
  const isFresh = isFreshAt(reading.readAt, now);
  return {
    nodes: isFresh ? reading.nodes : Math.max(reading.nodes, before.nodes),
    readAt: reading.readAt,
    holds: fittingVerdicts(reading.holds),
  };
}

export const isFreshAt = (readAt: number, now: number): boolean =>
  Math.abs(now - readAt) <= freshSeconds * 1000;

/** A time that is far ahead was written with a wrong clock, and would hide every reading until then. */
function isNewer({ readAt }: PodsReading, { readAt: last, failed }: PodsRecord, now: number): boolean {
  const newest = Math.max(last ?? 0, failed?.since ?? 0);
  return readAt > newest || newest > now + freshSeconds * 1000;
}
