import type { Outcome } from '../../passes/outcome.ts';
import { isOutcome } from '../../passes/steps.ts';
import type { LeavingContext } from '../context.ts';
import type { Leaving, Planned, Started } from '../state.ts';
import { endIfInstanceGone } from './end-if-instance-gone.ts';
import { findNode } from './find-node.ts';

type State = Started & Leaving & Planned;

/** Ends the leave of an instance that has no Node, or that has ended itself; undefined where there is something to drain. */
export async function endIfNothingToDrain(
  context: LeavingContext,
  state: State,
): Promise<Outcome | undefined> {
  const found = await findNode(context, state);
  if (isOutcome(found)) return found;
  const answer = await endIfInstanceGone(context, { ...state, ...found });
  return isOutcome(answer) ? answer : undefined;
}
