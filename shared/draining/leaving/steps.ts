import type { Outcome } from '../../lifecycle/outcome.ts';
import type { LeavingContext } from './context.ts';

/** What every state has: notes that the outcome of the pass repeats for the operator. */
export interface Noted {
  readonly notes: readonly string[];
}

/** A step answers with an outcome, which ends the pass, or with what it adds to the state of the steps after it. */
export type Step<State, Added> = (context: LeavingContext, state: State) => Promise<Outcome | Added>;

type LastStep<State> = (context: LeavingContext, state: State) => Promise<Outcome>;

export interface Steps<Start, State extends Noted> {
  step<Added extends object>(next: Step<State, Added>): Steps<Start, State & Added>;
  last(final: LastStep<State>): LastStep<Start>;
}

/** Begins a list of steps. They run in order; the first that answers with an outcome ends the list. */
export const stepsFrom = <Start extends Noted>(): Steps<Start, Start> => chain(async (_, start) => start);

const chain = <Start, State extends Noted>(run: Step<Start, State>): Steps<Start, State> => ({
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
