import { readLeavingMark } from '../leaving-mark.ts';
import type { LeavingContext } from './context.ts';
import { type LeavePlan, planLeave } from './leave-plan.ts';
import { searchNode } from './search-node.ts';
import type { Leaving, NodeFound, Planned, Started } from './state.ts';

type State = Started & Leaving & Pick<Planned, 'hooks'>;

/** Searches the Node, reads its mark, and plans again from the time in the mark; undefined where there is no Node. */
export async function planWithNode(
  context: LeavingContext,
  state: State & Planned,
): Promise<(NodeFound & Pick<Planned, 'plan'>) | undefined> {
  const node = await searchNode(context, state.subject);
  if (!node) return undefined;
  const mark = readLeavingMark(node.metadata?.annotations);
  return mark ? { node, mark, plan: planWith(context, state, mark.since) } : { node, plan: state.plan };
}

/** The plan, counted from the mark of the Node where it has one. */
export function planWith(
  { clock, settings: { leavingHookName, etcdHookName } }: LeavingContext,
  { subject, instance, settings, waits, hooks }: State,
  markedSince?: string,
): LeavePlan {
  return planLeave({
    now: clock.now(),
    subject,
    instance,
    settings,
    waits,
    hooks,
    leavingHookName,
    etcdHookName,
    markedSince: markedSince === undefined ? undefined : Date.parse(markedSince),
  });
}
