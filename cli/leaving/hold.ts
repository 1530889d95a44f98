import { durationText } from '../../shared/base/duration.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { LeavingInstance } from '../../shared/capacity/leaving-instances.ts';
import { leavingDeadlines } from '../../shared/groups/hook-timing.ts';
import {
  isTerminated,
  isTerminating,
  isWarmedPendingWait,
  waitsToLeave,
} from '../../shared/groups/lifecycle-state.ts';
import { type ReasonToLeave, spotNoticeSeconds } from '../../shared/passes/leaving-notice.ts';

/** How long a leaving instance can be kept waiting, and what comes then. */
export interface Hold {
  /** Epoch milliseconds; undefined if it is unknown or nothing ends the wait. */
  readonly until?: number;
  readonly words: string;
}

/** Undefined for an instance that waits for nothing that a pause could lengthen. Pure. */
export function holdOf(instance: LeavingInstance): Hold | undefined {
  const { member } = instance;
  if (!member) return undefined;
  if (waitsToLeave(member)) return heldByHook(instance);
  return isTerminating(member) || isTerminated(member) ? undefined : heldByNoHook(instance);
}

/** The global timeout of a hook counts from the beginning of the wait, whatever the heartbeats (EC2 Auto Scaling user guide). */
function heldByHook(instance: LeavingInstance): Hold {
  const { hook, node } = instance;
  if (!hook) return { words: 'waits on a hook that is not Drover’s, for as long as that hook allows' };
  const afterwards = `then ${whatThen(instance)}`;
  if (!node) {
    const atMost = durationText(hook.globalTimeoutSeconds);
    return {
      words: `can be held for ${atMost} from the start of its wait, which is unknown without a marked Node, ${afterwards}`,
    };
  }
  const since = Date.parse(node.mark.since);
  const wait = { since, globalTimeoutSeconds: hook.globalTimeoutSeconds };
  const until = leavingDeadlines({ since, drainTimeoutSeconds: Infinity, wait }).limit;
  return { until, words: `can be held until ${isoSeconds(until)}, ${afterwards}` };
}

function whatThen({ hook, group, member }: LeavingInstance): string {
  if (hook?.defaultResult !== 'ABANDON') {
    const next = member && isWarmedPendingWait(member) ? 'returns to its warm pool' : 'terminates';
    return `it ${next}, drained or not`;
  }
  return group?.retainsAbandoned
    ? 'it is abandoned and the group retains it for the operator'
    : 'it is abandoned and terminates, drained or not';
}

const atTheirTime: readonly ReasonToLeave[] = ['capacity-reservation', 'scheduled-change'];

/** The instance runs and leaves after a notice of EC2: no hook holds it yet. */
function heldByNoHook({ node }: LeavingInstance): Hold | undefined {
  if (!node) return undefined;
  const { cause, since } = node.mark;
  if (cause === 'spot-interruption') {
    const until = Date.parse(since) + spotNoticeSeconds * 1000;
    return { until, words: `cannot be held: EC2 terminates it at about ${isoSeconds(until)}, paused or not` };
  }
  if (atTheirTime.includes(cause))
    return { words: 'cannot be held beyond the time that EC2 announced: then it terminates, paused or not' };
  return { words: 'stays in service while it is paused' };
}
