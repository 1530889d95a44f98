import type { LifecycleHook } from '../../shared/groups/group.ts';
import type { LeavingSettings } from '../../shared/groups/group-settings.ts';
import type { Leaving, Planned, Started } from '../../shared/leaving/context.ts';
import type { LeavePlan } from '../../shared/leaving/leave-plan.ts';
import type { LeavingMark } from '../../shared/nodes/leaving-mark.ts';
import { instanceId } from './pods.ts';
import { groupOf } from './waiting-group.ts';

export const leavingHook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};

export interface LeaveStateParts {
  /** Epoch milliseconds of the notice. */
  readonly noticedAt: number;
  readonly settings: LeavingSettings;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The state of a pass over an instance of `workers` in Terminating:Wait, once the leave is planned. */
export function leaveState({ noticedAt, settings, tags = {} }: LeaveStateParts): Started & Leaving & Planned {
  const group = { ...groupOf({ [instanceId]: 'Terminating:Wait' }), tags };
  const [member] = group.instances;
  if (!member) throw new Error('the group has no member');
  const plan: LeavePlan = {
    cause: 'terminating',
    hook: leavingHook,
    onFailure: 'CONTINUE',
    since: noticedAt,
    deadlines: { deadline: noticedAt + settings.drainTimeoutSeconds * 1000, limit: Infinity },
    mustHurry: false,
  };
  return {
    notes: [],
    subject: {
      instanceId,
      notices: [{ cause: 'terminating', instanceId, noticedAt: new Date(noticedAt).toISOString() }],
    },
    group,
    instance: { ...member, autoScalingGroupName: 'workers' },
    settings,
    ec2: undefined,
    waits: true,
    toWarmPool: false,
    keepsNode: false,
    hooks: [leavingHook],
    plan,
  };
}

/** What a pass wrote on the Node at this time. */
export const markedAt = (time: number, parts: Partial<LeavingMark> = {}): LeavingMark => ({
  cause: 'terminating',
  instanceId,
  since: new Date(time).toISOString(),
  renewedAt: new Date(time).toISOString(),
  before: { unschedulable: false, excludedFromLoadBalancers: false },
  waitingFor: [],
  ...parts,
});
