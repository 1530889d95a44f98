/**
 * What a pass answers. `done`: nothing is left to do for this subject. `again`: something is, and the pass asks to be
 * woken after that many seconds. Both say why, in words for an operator.
 */
export type Outcome =
  | { readonly status: 'done'; readonly reason: string }
  | { readonly status: 'again'; readonly afterSeconds: number; readonly reason: string };

export const done = (reason: string): Outcome => ({ status: 'done', reason });

export const again = (afterSeconds: number, reason: string): Outcome => ({
  status: 'again',
  afterSeconds,
  reason,
});
