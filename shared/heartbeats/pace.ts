/** The rate at which one environment sends heartbeats. It learns from refusals, because AWS publishes no limit. */
export interface Pace {
  /**
   * Takes a slot for a call now, in epoch milliseconds. Returns 0, or the seconds until there is a free slot. For some seconds after a
   * refusal, or after an urgent call found no slot, slots are only for urgent calls.
   */
  take(now: number, call?: { readonly isUrgent: boolean }): number;
  /** AWS accepted a call. */
  accepted(): void;
  /** AWS refused a call because calls come too fast. */
  refused(now: number): void;
}

const firstRate = 5;
/** Two environments at this rate need less than half of what Auto Scaling should accept, and few waits are never slowed into their end. */
const lowestRate = 1;
const highestRate = 20;
/**
 * So long the calls of AWS are left to urgent heartbeats, and to the completions of the passes, which end waits for good. Of 1,000 nodes at 5
 * calls a second, the last one left after 395 s, and after 846 s while heartbeats that could wait took part of the calls.
 */
const reservedMilliseconds = 15_000;

/**
 * A token bucket whose rate falls by a fifth with each refusal and rises slowly with each accepted call (additive increase,
 * multiplicative decrease). Several environments find a common rate without knowing of each other, as senders of TCP do.
 */
export function createPace(): Pace {
  let rate = firstRate;
  let tokens = firstRate;
  let countedAt: number | undefined;
  let reservedFrom = -Infinity;
  const refill = (now: number): void => {
    const seconds = Math.max(0, now - (countedAt ?? now)) / 1000;
    tokens = Math.min(Math.max(1, rate), tokens + seconds * rate);
    countedAt = now;
  };
  // A clock that was set back must not reserve slots for longer.
  const reservedSecondsAt = (now: number): number =>
    Math.min(reservedMilliseconds, Math.max(0, reservedFrom + reservedMilliseconds - now)) / 1000;
  return {
    take: (now, { isUrgent } = { isUrgent: false }) => {
      refill(now);
      const reservedSeconds = isUrgent ? 0 : reservedSecondsAt(now);
      if (tokens >= 1 && reservedSeconds === 0) {
        tokens -= 1;
        return 0;
      }
      if (isUrgent) reservedFrom = now;
      return Math.max(reservedSeconds, (1 - tokens) / rate);
    },
    accepted: () => {
      rate = Math.min(highestRate, rate + 0.1);
    },
    refused: (now) => {
      refill(now);
      rate = Math.max(lowestRate, rate * 0.8);
      tokens = 0;
      reservedFrom = now;
    },
  };
}
