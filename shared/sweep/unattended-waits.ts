import {
  type AutoScalingGroup,
  findTerminatingHook,
  type GroupMember,
  type LifecycleHook,
} from '../groups/group.ts';
import { isWarmedPendingWait, waitsToLeave } from '../groups/lifecycle-state.ts';
import type { SweepInput, SweptNode } from './plan-sweep.ts';

/** An instance that waits on our hook, and whose mark no pass has renewed recently. */
export interface UnattendedWait {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly hook: LifecycleHook;
  /** It goes back to its warm pool, or is launched into it. */
  readonly toWarmPool: boolean;
  /** Since the mark was last renewed; undefined: its Node, if it has one, was never marked. */
  readonly quietSeconds?: number;
}

/** Working passes renew the mark every quarter of an hour at least. */
const longestQuietSeconds = 1800;

/**
 * Instances that wait on our hook, and whose mark has not been renewed for half a heartbeat timeout. Working passes renew it every
 * third of the timeout. Pure.
 *
 * An instance in Warmed:Pending:Wait may be launched into its pool instead, and wait on a launching hook: its pass finds that out.
 */
export function unattendedWaits(
  input: Pick<SweepInput, 'now' | 'groups' | 'hooks' | 'nodes' | 'leavingHookName'>,
): UnattendedWait[] {
  const marks = new Map(input.nodes.map((node) => [node.instanceId, node.mark]));
  return input.groups.flatMap((group) => {
    const hook = findTerminatingHook(input.hooks.get(group.autoScalingGroupName), input.leavingHookName);
    if (!hook) return [];
    return group.instances
      .filter(waitsToLeave)
      .map((member) => waitOf(group, { member, hook, now: input.now, mark: marks.get(member.instanceId) }))
      .filter(isUnattended);
  });
}

const waitOf = (
  { autoScalingGroupName }: AutoScalingGroup,
  {
    member,
    hook,
    now,
    mark,
  }: {
    readonly member: GroupMember;
    readonly hook: LifecycleHook;
    readonly now: number;
    readonly mark: SweptNode['mark'];
  },
): UnattendedWait => ({
  instanceId: member.instanceId,
  autoScalingGroupName,
  hook,
  toWarmPool: isWarmedPendingWait(member),
  ...(mark && { quietSeconds: (now - mark.renewedAt) / 1000 }),
});

const isUnattended = ({ hook, quietSeconds }: UnattendedWait): boolean =>
  quietSeconds === undefined ||
  quietSeconds > Math.min(longestQuietSeconds, hook.heartbeatTimeoutSeconds / 2);
