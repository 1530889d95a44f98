/** Numbers and words of a pass, for its log line and its metrics: `{ podsEvicted: 3 }`. Never a secret. */
export type Facts = Readonly<Record<string, number | string | boolean>>;

/**
 * What a pass answers. `done`: nothing is left to do for this subject. `again`: something is, and the pass asks to be
 * woken after that many seconds. Both say why, in words for an operator.
 *
 * A wait blocks what comes in behind it, so it is cut to 20 seconds unless the pass knows that no shorter notice can still
 * arrive (`shorterNoticePossible: false`: the instance is not on Spot, or the shortest notice is already here).
 */
export type Outcome =
  | { readonly status: 'done'; readonly reason: string; readonly facts?: Facts }
  | {
      readonly status: 'again';
      readonly afterSeconds: number;
      readonly reason: string;
      readonly facts?: Facts;
      readonly shorterNoticePossible?: boolean;
    };

export const done = (reason: string, facts?: Facts): Outcome => ({
  status: 'done',
  reason,
  ...(facts && { facts }),
});

export const again = (afterSeconds: number, reason: string, facts?: Facts): Outcome => ({
  status: 'again',
  afterSeconds,
  reason,
  ...(facts && { facts }),
});
