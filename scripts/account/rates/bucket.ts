/** What came of a call: a refusal for its rate is `refused`, everything else `accepted`. */
export type Verdict = 'accepted' | 'refused';

export interface Probe {
  readonly call: () => Promise<Verdict>;
  /** Milliseconds since any beginning. */
  readonly now: () => number;
  readonly wait: (seconds: number) => Promise<void>;
  /** The measurement ends after so many calls, whatever it knows then. */
  readonly maximumCalls?: number;
  readonly signal?: AbortSignal;
}

/** A token bucket as it was measured. */
export interface Measured {
  /** So many calls were accepted at once. A lower bound if none was refused. */
  readonly burst: number;
  /** Tokens that come back in a second; undefined if no call was refused, or too few were accepted afterwards. */
  readonly perSecond: number | undefined;
  readonly calls: number;
  readonly refused: number;
}

/** In this time every bucket is expected to be full again. */
const restSeconds = 60;
/** Calls at once: one after the other may be slower than the bucket fills. */
const width = 8;
const usualMaximumCalls = 600;
/** With so many tokens, one more or less is a few percent. */
const enoughTokens = 30;
const longestPauseSeconds = 16;
const shortestPauseSeconds = 1 / 32;
/** A bucket that gives more than this share of its burst may have been full before the pause ended: that pause says nothing of its rate. */
const fullShare = 0.75;

interface Phase {
  readonly accepted: number;
  readonly seconds: number;
  readonly isEmpty: boolean;
}

/**
 * Empties a bucket that is full, and measures how fast it fills: pauses without calls, then calls until one is refused. Calls in the pause would
 * count if AWS counts refused ones.
 *
 * @throws what `call` throws, and the reason of the signal
 */
export async function measureBucket(probe: Probe): Promise<Measured> {
  const { wait, now, maximumCalls = usualMaximumCalls, signal } = probe;
  let calls = 0;
  let refused = 0;
  const callsLeft = (): number => Math.min(width, maximumCalls - calls);
  const spend = async (since: number): Promise<Phase> => {
    let accepted = 0;
    for (;;) {
      signal?.throwIfAborted();
      const size = callsLeft();
      if (size === 0) return { accepted, seconds: (now() - since) / 1000, isEmpty: false };
      const verdicts = await Promise.all(Array.from({ length: size }, probe.call));
      calls += size;
      const refusals = verdicts.filter((verdict) => verdict === 'refused').length;
      refused += refusals;
      accepted += size - refusals;
      if (refusals > 0) return { accepted, seconds: (now() - since) / 1000, isEmpty: true };
    }
  };
  await wait(restSeconds);
  const burst = await spend(now());
  if (!burst.isEmpty) return { burst: burst.accepted, perSecond: undefined, calls, refused };
  let tokens = 0;
  let seconds = 0;
  for (let pause = 1; tokens < enoughTokens && callsLeft() > 0; ) {
    const since = now();
    await wait(pause);
    const filled = await spend(since);
    if (!filled.isEmpty) break;
    const isFull = filled.accepted > fullShare * burst.accepted && pause > shortestPauseSeconds;
    // The first calls find the rest of a token: their sum over all pauses does not grow.
    tokens += isFull ? 0 : filled.accepted;
    seconds += isFull ? 0 : filled.seconds;
    if (pause === longestPauseSeconds && tokens === 0) break;
    if (isFull) pause /= 2;
    else if (2 * filled.accepted < fullShare * Math.min(burst.accepted, enoughTokens))
      pause = Math.min(2 * pause, longestPauseSeconds);
  }
  const perSecond = tokens === 0 ? undefined : tokens / seconds;
  // While the burst was spent, some tokens have come back.
  const atOnce = Math.max(1, Math.round(burst.accepted - (perSecond ?? 0) * burst.seconds));
  return { burst: atOnce, perSecond, calls, refused };
}
