import {
  type AutoScalingGroup,
  eksNodegroupOf,
  findTerminatingHook,
  type GroupInstance,
  type LifecycleHook,
  roleOf,
} from '../groups/group.ts';
import { isRetained, isTerminated, isTerminating } from '../groups/lifecycle-state.ts';
import { decideCapacity } from './capacity-request.ts';
import type { Hold } from './holds/hold.ts';

/** A wish that one instance of a managed group goes. */
export interface TerminationWish {
  readonly group: AutoScalingGroup;
  readonly instance: GroupInstance;
  /** Whether the desired capacity falls by one. Else Auto Scaling launches another instance. */
  readonly lowersDesiredCapacity: boolean;
  /** Whether it may go although no hook of Drover lets its node be drained. */
  readonly mayBeUndrained: boolean;
  readonly hooks: readonly LifecycleHook[];
  readonly leavingHookName: string;
  /** Those of the group that stand now. */
  readonly holds: readonly Hold[];
}

export type TerminationDecision =
  | { readonly kind: 'accepted'; readonly isLeavingAlready: boolean; readonly reason: string }
  | { readonly kind: 'refused'; readonly cause: TerminationRefusal; readonly reason: string };

export type TerminationRefusal = 'etcd' | 'held' | 'out-of-bounds' | 'eks' | 'undrained';

/** Decides whether an instance may be terminated. Auto Scaling holds it on Drover's hook then, and its node is drained. Pure. */
export function decideTermination(wish: TerminationWish): TerminationDecision {
  const { group, instance, lowersDesiredCapacity } = wish;
  if (roleOf(group) === 'etcd')
    return refused('etcd', 'its data is a vote of etcd: rotate the group instead, one member at a time');
  if ((isTerminating(instance) && !isRetained(instance)) || isTerminated(instance))
    return { kind: 'accepted', isLeavingAlready: true, reason: `it is ${instance.lifecycleState} already` };
  if (lowersDesiredCapacity && eksNodegroupOf(group) !== undefined)
    return refused(
      'eks',
      'EKS alone sets the size of its node groups, and chooses the instance that goes: set the capacity of the group instead',
    );
  const isDrained = isDrainedBefore(wish);
  if (!isDrained && !wish.mayBeUndrained) return refused('undrained', undrainedWords(wish));
  if (lowersDesiredCapacity) {
    const capacity = decideCapacity(group, group.desiredCapacity - (instance.weight ?? 1), {
      holds: wish.holds,
    });
    if (capacity.kind === 'refused') return refused(capacity.cause, capacity.reason);
  }
  const how = isDrained ? 'its node is drained before it goes' : 'its node is not drained';
  const then = lowersDesiredCapacity ? 'no other is launched' : 'Auto Scaling launches another';
  return { kind: 'accepted', isLeavingAlready: false, reason: `${how}, and ${then}` };
}

/** EKS has a hook of its own on the groups of its node groups, and drains them itself. A retained instance waits on no hook again. */
const isDrainedBefore = ({ group, instance, hooks, leavingHookName }: TerminationWish): boolean =>
  !isRetained(instance) &&
  (eksNodegroupOf(group) !== undefined || findTerminatingHook(hooks, leavingHookName) !== undefined);

const undrainedWords = ({ instance, leavingHookName }: TerminationWish): string =>
  isRetained(instance)
    ? 'it is retained for a person, and what runs on it would be killed: say undrained=true'
    : `the group has no hook ${leavingHookName}, so its pods would be killed: add the hook (drover hooks), or say undrained=true`;

const refused = (cause: TerminationRefusal, reason: string): TerminationDecision => ({
  kind: 'refused',
  cause,
  reason,
});
