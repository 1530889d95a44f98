/** The rate at which one environment sends heartbeats. It learns from refusals, because AWS publishes no limit. */
export interface Pace {
  /**
   * Takes a slot for a call now, in epoch milliseconds. Returns 0, or the seconds until there is a free slot. For some seconds after an
   * urgent call found none, slots are only for urgent calls.
   */
  take(now: number, call?: { readonly isUrgent: boolean }): number;
  /** AWS accepted a call. */
  accepted(): void;
  /** AWS refused a call. */
  refused(): void;
}

const firstRate = 5;
/** Two environments at this rate need less than half of what Auto Scaling should accept, and few waits are never slowed into their end. */
const lowestRate = 1;
const highestRate = 20;
/** Urgent calls that found no slot come again within this time. */
const urgentMilliseconds = 5000;

/**
 * A token bucket whose rate falls by a fifth with each refusal and rises slowly with each accepted call (additive increase,
 * multiplicative decrease). Several environments find a common rate without knowing of each other, as senders of TCP do.
 */
export function createPace(): Pace {
  let rate = firstRate;
  let tokens = firstRate;
  let countedAt: number | undefined;
  let urgentWaitedAt = -Infinity;
  const refill = (now: number): void => {
    const seconds = Math.max(0, now - (countedAt ?? now)) / 1000;
    tokens = Math.min(Math.max(1, rate), tokens + seconds * rate);
    countedAt = now;
  };
  return {
    take: (now, { isUrgent } = { isUrgent: false }) => {
      refill(now);
      const reservedSeconds = isUrgent ? 0 : Math.max(0, urgentWaitedAt + urgentMilliseconds - now) / 1000;
      if (tokens >= 1 && reservedSeconds === 0) {
        tokens -= 1;
        return 0;
      }
      if (isUrgent) urgentWaitedAt = now;
      return Math.max(reservedSeconds, (1 - tokens) / rate);
    },
    accepted: () => {
      rate = Math.min(highestRate, rate + 0.1);
    },
    refused: () => {
      rate = Math.max(lowestRate, rate * 0.8);
      tokens = 0;
    },
  };
}
