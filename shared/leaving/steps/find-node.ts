import type { Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { planWithNode } from '../plan-with.ts';
import type { Leaving, NodeFound, Planned, Started } from '../state.ts';
import { completeHook } from './complete-hook.ts';

type State = Started & Leaving & Planned;

/** Finds the instance's Node. Without a Node there is nothing to drain. A mark on the Node tells when the leave began. */
export async function findNode(
  context: LeavingContext,
  state: State,
): Promise<Outcome | (NodeFound & Pick<Planned, 'plan'>)> {
  const found = await planWithNode(context, state);
  return found ?? (await completeHook(context, { ...state, nodeResult: 'it has no node' }));
}
