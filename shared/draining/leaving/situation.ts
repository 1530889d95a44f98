import type { Ec2Instance, GroupInstance } from '../../lifecycle/group.ts';
import type { LeavingNotice } from '../../lifecycle/notice.ts';

/**
 * What the world says of an instance that somebody said is leaving:
 * - `stays`: nothing is to be done for it, and why;
 * - `gone`: with positive evidence; only its Node may be left;
 * - `missing`: nobody knows it, which is no evidence until it is found again minutes later;
 * - `settling`: it is on its way between two states, look again soon;
 * - `waiting`: Auto Scaling holds it in Terminating:Wait;
 * - `noticed`: it runs, and EC2 takes it back or advises to leave.
 */
export type Situation =
  | { readonly kind: 'stays'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'settling'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly toWarmPool: boolean }
  | { readonly kind: 'noticed'; readonly notice: LeavingNotice };

/** What Auto Scaling and EC2 said; `ec2` is only asked for where Auto Scaling does not settle it. */
export interface Sighting {
  readonly instance?: GroupInstance;
  readonly ec2?: Ec2Instance;
  readonly notices: readonly LeavingNotice[];
  readonly drainOnRebalance: boolean;
}

/**
 * A pure reading of the lifecycle states (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle").
 * A terminate action for an instance that is in service again (a late duplicate, a return from a warm pool) is not a
 * reason: the state is.
 */
export function situationOf(sighting: Sighting): Situation {
  const state = sighting.instance?.lifecycleState;
  if (state === undefined) return outsideOfGroups(sighting.ec2);
  if (state.endsWith(':Retained')) return { kind: 'stays', reason: 'it is retained for a person' };
  const toWarmPool = returnsToWarmPool(sighting.notices);
  if (/^(Warmed:)?Terminating:Wait$/.test(state)) return { kind: 'waiting', toWarmPool };
  if (state === 'Warmed:Pending:Wait' && toWarmPool) return { kind: 'waiting', toWarmPool };
  if (/^(Warmed:)?Terminating$/.test(state))
    return { kind: 'settling', reason: 'Auto Scaling has not begun the wait yet' };
  if (isPastItsWait(state)) return pastItsWait(state, sighting);
  return alive(sighting, state);
}

const isPastItsWait = (state: string): boolean => /^(Warmed:)?(Terminating:Proceed|Terminated)$/.test(state);

/**
 * The pass that ended the wait has deleted the Node before. EC2's word that the instance is gone follows every drain and asks
 * for nothing more; what a wait that ran out has left behind is the sweep's to find. Until EC2 has ended the instance its pods
 * run, and a Node deleted meanwhile would let a second one of each begin elsewhere.
 */
function pastItsWait(state: string, { ec2, notices }: Sighting): Situation {
  const reason = `its wait is over (${state})`;
  if (notices.every(isEcho)) return { kind: 'stays', reason };
  if (!hasEnded(state) && ec2 !== undefined && ec2.state !== 'terminated')
    return { kind: 'settling', reason: `${reason}, but it is ${ec2.state} still` };
  return { kind: 'gone', reason };
}

const isEcho = ({ cause, nodeName }: LeavingNotice): boolean =>
  cause === 'instance-gone' && nodeName === undefined;

const hasEnded = (state: string): boolean => state.endsWith('Terminated');

/** Nothing is decided yet, and nobody has to ask: EC2 sends another event, and the sweep looks too. */
const shuttingDown: Situation = {
  kind: 'stays',
  reason: 'EC2 shuts it down and will say when it has terminated',
};

function outsideOfGroups(ec2: Ec2Instance | undefined): Situation {
  if (ec2 === undefined) return { kind: 'missing', reason: 'neither Auto Scaling nor EC2 knows it' };
  if (ec2.state === 'terminated') return { kind: 'gone', reason: 'EC2 says terminated' };
  if (ec2.state === 'shutting-down') return shuttingDown;
  return { kind: 'stays', reason: `it is ${ec2.state} and in no Auto Scaling group (detached)` };
}

function alive({ notices, ec2, drainOnRebalance }: Sighting, state: string): Situation {
  if (ec2?.state === 'terminated') return { kind: 'gone', reason: 'EC2 says terminated' };
  if (ec2?.state === 'shutting-down') return shuttingDown;
  const reasons = notices.filter((notice) => isReason(notice, { waits: false, drainOnRebalance }));
  const notice = reasons.toSorted(byUrgency)[0];
  return notice ? { kind: 'noticed', notice } : { kind: 'stays', reason: `it is ${state}` };
}

/**
 * Whether the notice is a reason to leave, and so counts for when that began. Advice that the group does not heed is none;
 * that an instance terminates is one only while it waits, for it comes late or twice; that it is gone leaves nothing to do.
 */
export function isReason(
  { cause }: LeavingNotice,
  { waits, drainOnRebalance }: { readonly waits: boolean; readonly drainOnRebalance: boolean },
): boolean {
  if (cause === 'rebalance') return drainOnRebalance;
  if (cause === 'terminating' || cause === 'swept') return waits;
  return cause !== 'instance-gone';
}

const byUrgency = (one: LeavingNotice, other: LeavingNotice): number =>
  (one.deadline ?? '9').localeCompare(other.deadline ?? '9');

/**
 * With a reuse policy a scale-in runs the termination hooks, says so with Destination WarmPool, and the instance waits in
 * Warmed:Pending:Wait (user guide, "Lifecycle hooks for warm pools"); so does one that is launched into the pool, but of
 * that no terminate action tells.
 */
const returnsToWarmPool = (notices: readonly LeavingNotice[]): boolean =>
  notices.some((notice) => notice.cause === 'terminating' && notice.destination === 'WarmPool');

/** Whether EC2 must be asked before `situationOf` can tell. */
export function needsEc2(instance: GroupInstance | undefined, notices: readonly LeavingNotice[]): boolean {
  if (instance === undefined) return true;
  if (isPastItsWait(instance.lifecycleState))
    return !hasEnded(instance.lifecycleState) && !notices.every(isEcho);
  return notices.some((notice) => notice.cause === 'instance-gone');
}
