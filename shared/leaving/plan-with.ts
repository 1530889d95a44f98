import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { learnTimeout } from '../passes/next-heartbeat.ts';
import type { LeavingContext } from './context.ts';
import { type LeavePlan, type LeavePlanInput, planLeave } from './leave-plan.ts';
import { searchNode } from './search-node.ts';
import type { Leaving, NodeFound, Planned, Started } from './state.ts';

type State = Started & Leaving & Pick<Planned, 'hooks'>;

/** Searches the Node, reads its mark, and plans again from the time in the mark; undefined where there is no Node. */
export async function planWithNode(
  context: LeavingContext,
  state: State & Planned,
): Promise<(NodeFound & Pick<Planned, 'plan'>) | undefined> {
  const found = await searchNode(context, state.subject);
  if (!found) return undefined;
  const { node } = found;
  const mark = readLeavingMark(node.metadata?.annotations);
  if (!mark) return { ...found, plan: state.plan };
  const plan = planWith(context, state, mark);
  learnTimeout(context, mark.instanceId, plan);
  return { ...found, mark, plan };
}

/** The plan, counted from the mark of the Node where it has one, and from now where it has none. */
export function planWith(
  { clock, settings: { leavingHookName, etcdHookName } }: LeavingContext,
  { subject, instance, settings, waits, hooks }: State,
  mark?: LeavePlanInput['mark'],
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
    mark,
  });
}
