/** Numbers and words of a pass, for its log line and its metrics: `{ podsEvicted: 3 }`. Never a secret. */
export type Facts = Readonly<Record<string, number | string | boolean>>;

/**
 * What a pass answers. `done`: nothing is left to do for this subject. `again`: something is, and the pass asks to run again
 * after that many seconds. Both say why, in words for an operator.
 */
export type Outcome =
  | { readonly status: 'done'; readonly reason: string; readonly facts?: Facts }
  | {
      readonly status: 'again';
      readonly afterSeconds: number;
      readonly reason: string;
      readonly facts?: Facts;
    };

/** A hidden message blocks its group, so a spot warning waits behind it: its two minutes hold six of these. */
export const longestWaitSeconds = 20;

export const done = (reason: string, facts?: Facts): Outcome => ({
  status: 'done',
  reason,
  ...(facts && { facts }),
});

/** Asks to run again after so many seconds, the longest wait at most: the reason then says why it is earlier. */
export const again = (seconds: number, reason: string, facts?: Facts): Outcome => ({
  status: 'again',
  afterSeconds: Math.min(seconds, longestWaitSeconds),
  reason:
    seconds > longestWaitSeconds
      ? `${reason} (checked every ${longestWaitSeconds} s, so that no spot warning has to wait)`
      : reason,
  ...(facts && { facts }),
});
