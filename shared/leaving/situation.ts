import { type Ec2Instance, type Ec2Warning, mayBeWarned } from '../groups/ec2.ts';
import type { GroupInstance } from '../groups/group.ts';
import {
  isPastTerminatingWait,
  isReplacingRootVolume,
  isRetained,
  isRootVolumeReplaced,
  isTerminated,
  isTerminatingWait,
  isWarmedPendingWait,
} from '../groups/lifecycle-state.ts';
import { deadlineOf, type LeavingNotice, type ReasonToLeave } from '../passes/leaving-notice.ts';

/**
 * The state of an instance for which there is a notice that it leaves, as Auto Scaling and EC2 report it:
 * - `stays`: there is nothing to do for it, and why. `ends`: it does not serve again, so its Node stays as it is;
 * - `gone`: there is positive evidence that it is gone; only its Node may be left;
 * - `missing`: neither knows it, which proves nothing until it is still so minutes later;
 * - `settling`: it is between two states, and the next pass will know more;
 * - `waiting`: Auto Scaling holds it on its terminating hooks. `keepsNode`: it comes back with a new root volume;
 * - `noticed`: it runs, and EC2 reclaims it or recommends to leave.
 */
export type Situation =
  | { readonly kind: 'stays'; readonly reason: string; readonly ends?: true }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'settling'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly toWarmPool: boolean; readonly keepsNode: boolean }
  | { readonly kind: 'noticed'; readonly notice: LeavingNotice };

/** What Auto Scaling and EC2 reported. EC2 is read only if `needsEc2`. */
export interface SituationInput {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly instance?: GroupInstance | undefined;
  readonly ec2?: Ec2Instance | undefined;
  readonly notices: readonly LeavingNotice[];
  readonly drainOnRebalance: boolean;
}

/**
 * Decides by the lifecycle state (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). A terminate action for an
 * instance that is in service again (a late duplicate, a return from a warm pool) is not a reason to leave. Pure.
 */
export function situationOf(input: SituationInput): Situation {
  const { instance, ec2, notices } = input;
  if (instance === undefined) return outsideOfGroups(ec2);
  const state = instance.lifecycleState;
  if (isRetained(instance)) return { kind: 'stays', reason: 'its group retains it', ends: true };
  const toWarmPool = returnsToWarmPool(notices);
  const keepsNode = isReplacingRootVolume(instance);
  if (isTerminatingWait(instance)) return { kind: 'waiting', toWarmPool, keepsNode };
  if (isWarmedPendingWait(instance) && toWarmPool) return { kind: 'waiting', toWarmPool, keepsNode };
  if (/^(Warmed:)?Terminating$/.test(state))
    return { kind: 'settling', reason: 'Auto Scaling has not begun the wait yet' };
  if (isPastTerminatingWait(instance)) return pastItsWait(state, input);
  return inService(input, state);
}

/**
 * The pass that ended the wait has deleted the Node, so EC2's report that the instance is gone, which follows every drain, needs nothing
 * more. The sweep finds what a wait that timed out has left behind. Until EC2 has ended the instance its pods run, and deleting the Node
 * would start a second copy of each elsewhere.
 */
function pastItsWait(state: string, { ec2, notices }: SituationInput): Situation {
  const reason = `its wait is over (${state})`;
  if (notices.every(isEcho)) return { kind: 'stays', reason };
  if (!isTerminated({ lifecycleState: state }) && ec2 !== undefined && ec2.state !== 'terminated')
    return { kind: 'settling', reason: `${reason}, but it is still ${ec2.state}` };
  return { kind: 'gone', reason };
}

const isEcho = ({ cause, nodeName }: LeavingNotice): boolean =>
  cause === 'instance-gone' && nodeName === undefined;

/** Nothing is decided yet: EC2 will send another event, and the sweep will find the instance too. */
const shuttingDown: Situation = {
  kind: 'stays',
  reason: 'it is shutting down, and EC2 will report when it has terminated',
  ends: true,
};

function outsideOfGroups(ec2: Ec2Instance | undefined): Situation {
  if (ec2 === undefined) return { kind: 'missing', reason: 'neither Auto Scaling nor EC2 knows it' };
  if (ec2.state === 'terminated') return { kind: 'gone', reason: 'EC2 reports it as terminated' };
  if (ec2.state === 'shutting-down') return shuttingDown;
  return { kind: 'stays', reason: `it is ${ec2.state} and in no Auto Scaling group (detached)` };
}

/** Auto Scaling's description may be older than its own event, and than a call. */
export const actionSettlesAfterMilliseconds = 60_000;

function inService({ now, notices, ec2, drainOnRebalance }: SituationInput, state: string): Situation {
  if (ec2?.state === 'terminated') return { kind: 'gone', reason: 'EC2 reports it as terminated' };
  if (ec2?.state === 'shutting-down') return shuttingDown;
  const reasons = notices.filter((notice) => isReason(notice, { waits: false, drainOnRebalance }));
  if (ec2 === undefined && reasons.some((notice) => warningOf(notice) !== undefined))
    return { kind: 'settling', reason: 'EC2 does not report yet whether it may take the instance back' };
  const notice = mostUrgent(reasons, now);
  if (notice) return { kind: 'noticed', notice };
  const instance = { lifecycleState: state };
  if (isReplacingRootVolume(instance) || isRootVolumeReplaced(instance))
    return { kind: 'settling', reason: `its root volume is replaced (${state})` };
  const isNew = notices.some(
    ({ cause, noticedAt }) =>
      cause === 'terminating' && now - Date.parse(noticedAt) < actionSettlesAfterMilliseconds,
  );
  return isNew
    ? { kind: 'settling', reason: `it is still ${state}, but a terminate action has just been sent for it` }
    : { kind: 'stays', reason: `it is ${state}` };
}

/**
 * Whether the notice is a reason to leave, so that the leave began with it. A rebalance recommendation is one if the group follows it. A
 * terminate action is one only while the instance waits, because it may arrive late or twice.
 */
export function isReason(
  notice: LeavingNotice,
  { waits, drainOnRebalance }: { readonly waits: boolean; readonly drainOnRebalance: boolean },
): notice is LeavingNotice & { readonly cause: ReasonToLeave } {
  const { cause } = notice;
  if (cause === 'rebalance') return drainOnRebalance;
  if (cause === 'terminating' || cause === 'swept') return waits;
  return cause !== 'instance-gone' && cause !== 'change-ended';
}

/** The notice with the earliest deadline, or the first one if none has a deadline. */
export function mostUrgent<Notice extends LeavingNotice>(
  notices: readonly Notice[],
  now: number,
): Notice | undefined {
  const earliest = Math.min(...notices.map((notice) => deadlineOf(notice, now)));
  return notices.find((notice) => deadlineOf(notice, now) === earliest);
}

/**
 * With a reuse policy a scale-in runs the terminating hooks with Destination WarmPool, and the instance waits in
 * Warmed:Pending:Wait (user guide, "Lifecycle hooks for warm pools"). An instance that is launched into the pool waits there
 * too, but has no terminate action.
 */
const returnsToWarmPool = (notices: readonly LeavingNotice[]): boolean =>
  notices.some((notice) => notice.cause === 'terminating' && notice.destination === 'WarmPool');

/** The warning of EC2 that a notice is; undefined if it comes from Auto Scaling, AWS Health or the sweep. */
const warningOf = ({ cause }: LeavingNotice): Ec2Warning | undefined =>
  cause === 'spot-interruption' || cause === 'rebalance' || cause === 'capacity-reservation'
    ? cause
    : undefined;

/**
 * Why a warning about the instance is ignored; undefined if EC2 could have sent it. Without a description from EC2 the warning of an
 * instance in service stays until there is one. A wait ends without a warning too, so an unchecked one must not hurry it. Pure.
 */
export function doubtAbout(
  notice: LeavingNotice,
  { instance, ec2 }: Pick<SituationInput, 'instance' | 'ec2'>,
): string | undefined {
  const warning = warningOf(notice);
  if (!warning) return undefined;
  if (!ec2)
    return instance && isTerminatingWait(instance)
      ? 'a warning about it is ignored, because EC2 does not describe it'
      : undefined;
  if (mayBeWarned(warning, ec2)) return undefined;
  return warning === 'capacity-reservation'
    ? 'a warning about its capacity reservation is ignored, because EC2 reports it neither in a capacity block nor in an interruptible capacity reservation'
    : 'a spot warning about it is ignored, because EC2 does not report it as a Spot Instance';
}

/** Whether `situationOf` needs the description of the instance from EC2. */
export function needsEc2(instance: GroupInstance | undefined, notices: readonly LeavingNotice[]): boolean {
  if (instance === undefined) return true;
  if (isPastTerminatingWait(instance)) return !isTerminated(instance) && !notices.every(isEcho);
  return notices.some((notice) => notice.cause === 'instance-gone' || warningOf(notice) !== undefined);
}
