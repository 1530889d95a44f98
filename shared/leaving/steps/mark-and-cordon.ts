import { messageOf } from '../../base/message-of.ts';
import { isAboutAnotherObject, isDenied } from '../../draining/cluster-failure.ts';
import type { Noted } from '../../passes/steps.ts';
import type { LeavingContext } from '../context.ts';
import { markNode, markReturn, toldMark } from '../mark-node.ts';
import { planWith } from '../plan-with.ts';
import { recordEvent } from '../record-event.ts';
import type { Leaving, Marked, NodeFound, Planned, Started } from '../state.ts';

type State = Started & Leaving & Planned & NodeFound;

/**
 * Cordon, exclusion from load balancers and our mark, in one patch, before the first pod is evicted. Where the patch is denied, or
 * fails until the deadline, the pods are evicted all the same: a pod that leaves through its budget loses less than one that
 * ends with its instance. The drain timeout then runs from the notice, since no mark tells when the leave began.
 */
export async function markAndCordon(
  context: LeavingContext,
  state: State,
): Promise<Marked & Pick<Planned, 'plan'> & Noted> {
  const { subject, instance, plan, node, hasTwins, mark, keepsNode, notes } = state;
  if (mark && (!keepsNode || mark.bootBefore !== undefined)) return { node, mark, plan, notes };
  const { instanceId, autoScalingGroupName } = instance;
  const leave = { subject, instanceId, autoScalingGroupName, node, hasTwins, keepsNode };
  try {
    const marked = mark
      ? await markReturn(context, { node, mark })
      : await markNode(context, { ...leave, plan });
    return { ...marked, plan, notes };
  } catch (error) {
    const fromNotice = planWith(context, state, { since: earliestNotice(state) });
    const isLate = context.clock.now() >= fromNotice.deadlines.deadline;
    if (isAboutAnotherObject(error) || !(isDenied(error) || isLate)) throw error;
    const message = `the node could not be cordoned and marked, its pods are evicted all the same: ${messageOf(error)}`;
    if (!subject.redelivered)
      recordEvent(context, node, { type: 'Warning', reason: 'CordonDenied', message });
    return {
      node,
      mark: await toldMark(context, { ...leave, plan: fromNotice }),
      plan: fromNotice,
      notes: [...notes, message],
    };
  }
}

function earliestNotice({ subject: { notices }, plan: { since } }: State): string {
  const times = notices.map(({ noticedAt }) => Date.parse(noticedAt));
  return new Date(Math.min(since, ...times)).toISOString();
}
