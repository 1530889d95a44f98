import type { Outcome } from './outcome.ts';

/** The part of every state: notes for the operator, which are appended to the reason of the pass. */
export interface Noted {
  readonly notes: readonly string[];
}

/** A step returns an outcome, which ends the pass, or what it adds to the state for the steps after it. */
export type Step<Context, State, Added> = (context: Context, state: State) => Promise<Outcome | Added>;

type LastStep<Context, State> = (context: Context, state: State) => Promise<Outcome>;

export interface Steps<Context, Start, State extends Noted> {
  step<Added extends object>(next: Step<Context, State, Added>): Steps<Context, Start, State & Added>;
  last(final: LastStep<Context, State>): LastStep<Context, Start>;
}

/** Begins a list of steps. They run in order; the first that returns an outcome ends the pass. */
export const stepsFrom = <Context, Start extends Noted>(): Steps<Context, Start, Start> =>
  chain(async (_, start) => start);

const chain = <Context, Start, State extends Noted>(
  run: Step<Context, Start, State>,
): Steps<Context, Start, State> => ({
  step: (next) =>
    chain(async (context, start) => {
      const state = await run(context, start);
      if (isOutcome(state)) return state;
      const answer = await next(context, state);
      return isOutcome(answer) ? withNotes(answer, state) : { ...state, ...answer };
    }),
  last: (final) => async (context, start) => {
    const state = await run(context, start);
    return isOutcome(state) ? state : withNotes(await final(context, state), state);
  },
});

export const isOutcome = (answer: object): answer is Outcome => 'status' in answer;

const withNotes = (outcome: Outcome, { notes }: Noted): Outcome => ({
  ...outcome,
  reason: [outcome.reason, ...notes].join('; '),
});
