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

/** A request to terminate one instance of a managed group. */
export interface TerminationRequest {
  readonly group: AutoScalingGroup;
  readonly instance: GroupInstance;
  /** Whether the desired capacity is lowered by one. Otherwise Auto Scaling launches another instance. */
  readonly lowersDesiredCapacity: boolean;
  /** Whether the instance may be terminated even if its node would not be drained. */
  readonly mayBeUndrained: boolean;
  readonly hooks: readonly LifecycleHook[];
  readonly leavingHookName: string;
  /** The active holds of the group. */
  readonly holds: readonly Hold[];
}

export type TerminationDecision =
  | { readonly kind: 'accepted'; readonly isLeavingAlready: boolean; readonly reason: string }
  | { readonly kind: 'refused'; readonly cause: TerminationRefusal; readonly reason: string };

export type TerminationRefusal = 'etcd' | 'held' | 'out-of-bounds' | 'eks' | 'undrained';

/** Decides whether an instance may be terminated. It then waits on Drover's hook while its node is drained. Pure. */
export function decideTermination(request: TerminationRequest): TerminationDecision {
  const { group, instance, lowersDesiredCapacity } = request;
  if (roleOf(group) === 'etcd')
    return refused('etcd', 'it is a member of etcd: rotate the group instead, one member at a time');
  if ((isTerminating(instance) && !isRetained(instance)) || isTerminated(instance))
    return { kind: 'accepted', isLeavingAlready: true, reason: `it is ${instance.lifecycleState} already` };
  if (lowersDesiredCapacity && eksNodegroupOf(group) !== undefined)
    return refused(
      'eks',
      'only EKS sets the size of its node groups and chooses the instance to terminate: set the capacity of the group instead',
    );
  const isDrained = isDrainedBefore(request);
  if (!isDrained && !request.mayBeUndrained) return refused('undrained', whyUndrained(request));
  if (lowersDesiredCapacity) {
    const capacity = decideCapacity(group, group.desiredCapacity - (instance.weight ?? 1), {
      holds: request.holds,
    });
    if (capacity.kind === 'refused') return refused(capacity.cause, capacity.reason);
  }
  const how = isDrained ? 'its node is drained before it goes' : 'its node is not drained';
  const then = lowersDesiredCapacity ? 'no other is launched' : 'Auto Scaling launches another';
  return { kind: 'accepted', isLeavingAlready: false, reason: `${how}, and ${then}` };
}

/** EKS has its own hook on the groups of its node groups and drains the nodes itself. A retained instance does not wait on a hook again. */
const isDrainedBefore = ({ group, instance, hooks, leavingHookName }: TerminationRequest): boolean =>
  !isRetained(instance) &&
  (eksNodegroupOf(group) !== undefined || findTerminatingHook(hooks, leavingHookName) !== undefined);

const whyUndrained = ({ instance, leavingHookName }: TerminationRequest): string =>
  isRetained(instance)
    ? 'it is retained for the operator, and its pods would be killed: set undrained=true'
    : `the group has no hook ${leavingHookName}, so its pods would be killed: add the hook (drover hooks), or set undrained=true`;

const refused = (cause: TerminationRefusal, reason: string): TerminationDecision => ({
  kind: 'refused',
  cause,
  reason,
});
