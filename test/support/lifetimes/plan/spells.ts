import type { Dice } from './dice.ts';
import type { Step } from './history.ts';

type Fault =
  | { readonly kind: 'kubernetes-away' }
  | { readonly kind: 'kubernetes-answers'; readonly status: 429 | 500 | 503; readonly share: number }
  | { readonly kind: 'aws-throttles'; readonly share: number }
  | { readonly kind: 'calls-break'; readonly share: number }
  /** No answer comes any more: the invocation is killed at its time-out. */
  | { readonly kind: 'killed'; readonly share: number }
  | { readonly kind: 'slow'; readonly milliseconds: number }
  | {
      readonly kind: 'events-disturbed';
      readonly lost: number;
      readonly duplicated: number;
      readonly lateSeconds: number;
    };

/** A time of bad weather, in seconds since the history began. */
export type Spell = { readonly from: number; readonly to: number } & Fault;

const planFault = (dice: Dice): Fault =>
  dice.pick<() => Fault>([
    () => ({ kind: 'kubernetes-away' }),
    () => ({
      kind: 'kubernetes-answers',
      status: dice.pick([429, 500, 503]),
      share: dice.pick([0.15, 0.15, 0.3, 1]),
    }),
    () => ({ kind: 'aws-throttles', share: dice.pick([0.1, 0.3, 0.7]) }),
    () => ({ kind: 'calls-break', share: dice.pick([0.05, 0.2]) }),
    () => ({ kind: 'killed', share: dice.pick([0.02, 0.05, 0.2]) }),
    () => ({ kind: 'slow', milliseconds: dice.pick([50, 300, 1500]) }),
    () => ({
      kind: 'events-disturbed',
      lost: dice.pick([0, 0.2, 1]),
      duplicated: dice.pick([0, 0.5]),
      lateSeconds: dice.pick([0, 20, 120]),
    }),
  ])();

/** None in a third of all lifetimes; otherwise one to four, side by side or apart, mostly while something happens. */
export function planSpells(
  dice: Dice,
  { history, seconds }: { readonly history: readonly Step[]; readonly seconds: number },
): readonly Spell[] {
  if (dice.chance(0.33)) return [];
  return Array.from({ length: dice.integer(1, 4) }, () => {
    const near = dice.chance(0.75) ? dice.pick(history).at - dice.integer(0, 20) : dice.integer(0, seconds);
    const from = Math.max(0, near);
    return { from, to: Math.min(seconds, from + dice.integer(10, 420)), ...planFault(dice) };
  });
}
