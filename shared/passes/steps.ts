import type { Outcome } from './outcome.ts';

/** What every state has: notes that the outcome of the pass repeats for the operator. */
export interface Noted {
  readonly notes: readonly string[];
}

/** A step answers with an outcome, which ends the pass, or with what it adds to the state of the steps after it. */
export type Step<Context, State, Added> = (context: Context, state: State) => Promise<Outcome | Added>;

type LastStep<Context, State> = (context: Context, state: State) => Promise<Outcome>;

export interface Steps<Context, Start, State extends Noted> {
  step<Added extends object>(next: Step<Context, State, Added>): Steps<Context, Start, State & Added>;
  last(final: LastStep<Context, State>): LastStep<Context, Start>;
}

/** Begins a list of steps. They run in order; the first that answers with an outcome ends the list. */
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
