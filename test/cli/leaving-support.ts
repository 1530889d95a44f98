import type { LeavingInstance } from '../../shared/capacity/leaving-instances.ts';
import type { LeavingMark } from '../../shared/nodes/leaving-mark.ts';

export const instanceId = 'i-0123456789abcdef0';
export const since = '2026-11-21T08:00:00.000Z';

export const markOf = (mark: Partial<LeavingMark> = {}): LeavingMark => ({
  cause: 'terminating',
  instanceId,
  since,
  renewedAt: since,
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  waitingFor: [],
  ...mark,
});

/** An instance of a group with Drover's hook, an hour of heartbeat timeout. */
export const leavingInstanceIn = (
  lifecycleState: string,
  { mark, ...rest }: Partial<LeavingInstance> & { readonly mark?: Partial<LeavingMark> } = {},
): LeavingInstance => ({
  instanceId,
  node: { name: 'node-1', mark: markOf(mark) },
  member: { instanceId, lifecycleState, availabilityZone: 'eu-west-1a', healthy: true },
  group: { autoScalingGroupName: 'workers', retainsAbandoned: false, tags: {} },
  hook: {
    lifecycleHookName: 'drover-node-leaving',
    transition: 'terminating',
    heartbeatTimeoutSeconds: 3600,
    globalTimeoutSeconds: 172_800,
    defaultResult: 'CONTINUE',
  },
  ...rest,
});
