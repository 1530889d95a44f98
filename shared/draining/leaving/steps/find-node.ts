import type { Outcome } from '../../../lifecycle/outcome.ts';
import { readLeavingMark } from '../../leaving-mark.ts';
import type { LeavingContext } from '../context.ts';
import { searchNode } from '../search-node.ts';
import type { Leaving, NodeFound, Planned, Started } from '../state.ts';
import { completeHook } from './complete-hook.ts';
import { planWith } from './plan-the-leave.ts';

type State = Started & Leaving & Planned;

/** Finds the instance's Node. Without a Node there is nothing to drain. A mark on the Node tells when the leave began. */
export async function findNode(
  context: LeavingContext,
  state: State,
): Promise<Outcome | (NodeFound & Pick<Planned, 'plan'>)> {
  const node = await searchNode(context, state.subject);
  if (!node) return await completeHook(context, { ...state, nodeResult: 'it has no node' });
  const mark = readLeavingMark(node.metadata?.annotations);
  return mark ? { node, mark, plan: planWith(context, state, mark.since) } : { node, plan: state.plan };
}
