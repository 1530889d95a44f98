import {
  findTerminatingHook,
  type GroupInstance,
  type LifecycleAction,
  type LifecycleHook,
} from '../../lifecycle/group.ts';
import type { LeavingSettings } from '../../lifecycle/group-settings.ts';
import { type LeavingDeadlines, leavingDeadlines } from '../../lifecycle/hook-timing.ts';
import type { LeavingCause, LeavingNotice } from '../../lifecycle/notice.ts';
import type { LeavingSubject } from './context.ts';
import { noticedAction } from './noticed-action.ts';
import { deadlineOf, isReason, mostUrgent } from './situation.ts';

/** Why an instance leaves, since when, until when, and which hook waits for it. */
export interface LeavePlan {
  readonly cause: LeavingCause;
  /** Our hook on the group, when the instance waits on it. */
  readonly hook?: LifecycleHook;
  readonly action?: LifecycleAction;
  readonly etcdHookStands: boolean;
  /** Epoch milliseconds of the first notice that is a reason to leave: the drain timeout runs from here. */
  readonly since: number;
  readonly deadlines: LeavingDeadlines;
  /** EC2 takes the instance at its own time: it does not wait for a free slot. */
  readonly mustHurry: boolean;
}

export interface LeavePlanInput {
  readonly now: number;
  readonly subject: LeavingSubject;
  readonly instance: GroupInstance;
  readonly settings: LeavingSettings;
  readonly waits: boolean;
  readonly hooks: readonly LifecycleHook[];
  readonly leavingHookName: string;
  readonly etcdHookName: string;
  /** Epoch milliseconds at which the Node was first marked as leaving; outlives the message. */
  readonly markedSince?: number | undefined;
}

/** Plans a leave from the notices, the hooks and the mark. Pure. */
export function planLeave(input: LeavePlanInput): LeavePlan {
  const { subject, settings, waits, hooks, markedSince = Infinity } = input;
  const hook = waits ? findTerminatingHook(hooks, input.leavingHookName) : undefined;
  const reasons = subject.notices.filter((notice) =>
    isReason(notice, { waits, drainOnRebalance: settings.drainOnRebalance }),
  );
  const since = Math.min(markedSince, earliest(reasons) ?? input.now);
  const noticeDeadline = Math.min(...reasons.map(deadlineOf));
  return {
    cause: causeOf(reasons, waits),
    ...(hook && { hook, action: actionOf(input, hook) }),
    etcdHookStands: findTerminatingHook(hooks, input.etcdHookName) !== undefined,
    since,
    deadlines: leavingDeadlines({
      since,
      drainTimeoutSeconds: settings.drainTimeoutSeconds,
      wait: hook && {
        since: waitingSince(subject.notices, since),
        globalTimeoutSeconds: hook.globalTimeoutSeconds,
      },
      noticeDeadline,
    }),
    mustHurry: reasons.some(({ cause }) => cause === 'spot-interruption' || cause === 'capacity-reservation'),
  };
}

/**
 * When the wait began. The latest terminate action tells it exactly. Where there is none, the wait may have begun at any time
 * since the leave did, so the beginning of the leave is the safe guess.
 */
function waitingSince(notices: readonly LeavingNotice[], since: number): number {
  const actions = notices.filter(({ cause }) => cause === 'terminating').map(noticedAt);
  return actions.length === 0 ? since : Math.max(...actions);
}

/** The cause with the earliest deadline; `terminating` for everything else that waits in Terminating:Wait. */
function causeOf(reasons: readonly LeavingNotice[], waits: boolean): LeavingCause {
  const urgent = mostUrgent(reasons);
  if (urgent && deadlineOf(urgent) < Infinity) return urgent.cause;
  return waits ? 'terminating' : (urgent?.cause ?? 'swept');
}

const actionOf = (
  { subject, instance }: LeavePlanInput,
  { lifecycleHookName }: LifecycleHook,
): LifecycleAction => ({
  ...noticedAction(subject, lifecycleHookName),
  autoScalingGroupName: instance.autoScalingGroupName,
  lifecycleHookName,
  instanceId: instance.instanceId,
});

const noticedAt = (notice: LeavingNotice): number => Date.parse(notice.noticedAt);

const earliest = (notices: readonly LeavingNotice[]): number | undefined =>
  notices.length === 0 ? undefined : Math.min(...notices.map(noticedAt));
