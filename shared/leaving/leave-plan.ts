import {
  findTerminatingHook,
  type GroupInstance,
  type LifecycleAction,
  type LifecycleActionResult,
  type LifecycleHook,
} from '../groups/group.ts';
import type { LeavingSettings } from '../groups/group-settings.ts';
import {
  globalTimeoutSecondsOf,
  heartbeatIntervalSeconds,
  type LeavingDeadlines,
  leavingDeadlines,
} from '../groups/hook-timing.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';
import { noticedAction } from '../passes/hook-notice.ts';
import { deadlineOf, type LeavingNotice, type ReasonToLeave } from '../passes/leaving-notice.ts';
import type { Leaving, LeavingContext, LeavingSubject, Planned, Started } from './context.ts';
import { isReason, mostUrgent } from './situation.ts';

/** Why an instance leaves, since when, until when, and which hook waits for it. */
export interface LeavePlan {
  readonly cause: ReasonToLeave;
  /** Our hook on the group, when the instance waits on it. */
  readonly hook?: LifecycleHook;
  readonly action?: LifecycleAction;
  /**
   * How the hook is completed if the drain fails. ABANDON would end the other hooks of the group too, so with an etcd hook it is always
   * CONTINUE.
   */
  readonly onFailure: LifecycleActionResult;
  /** Epoch milliseconds at which the drain began, or now. The drain timeout runs from here. */
  readonly since: number;
  readonly deadlines: LeavingDeadlines;
  /** When the wait ends by itself, in epoch milliseconds, if AWS denies to prolong it. */
  readonly waitEndsAt?: number;
  /** EC2 reclaims the instance at a given time, or the wait ends soon, so the drain does not wait for a free slot. */
  readonly mustHurry: boolean;
  /** When the drain has to begin at the latest, in epoch milliseconds; undefined if no hook of ours limits the wait. */
  readonly latestStart?: number;
}

export interface LeavePlanInput {
  readonly now: number;
  readonly subject: LeavingSubject;
  readonly instance: GroupInstance;
  readonly settings: LeavingSettings;
  readonly waits: boolean;
  readonly isDenied?: boolean | undefined;
  readonly hooks: readonly LifecycleHook[];
  readonly leavingHookName: string;
  readonly etcdHookName: string;
  /** The mark on the Node, which outlives the messages. */
  readonly mark?: PlannedMark | undefined;
}

/** The plan of a leave that began at the time in the mark, or that begins now if there is no mark. */
export function planWith(
  { clock, settings: { leavingHookName, etcdHookName } }: LeavingContext,
  state: Started & Leaving & Pick<Planned, 'hooks'>,
  mark?: LeavePlanInput['mark'],
): LeavePlan {
  return planLeave({ ...state, mark, now: clock.now(), leavingHookName, etcdHookName });
}

type Reason = LeavingNotice & { readonly cause: ReasonToLeave };

/** What a plan uses of a mark. A mark that was never written has only the time. */
type PlannedMark = Pick<
  LeavingMark,
  'since' | 'awaiting' | 'awaitedSince' | 'heartbeatTimeoutSeconds' | 'waitEndsAt'
> &
  Partial<Pick<LeavingMark, 'renewedAt'>>;

/** Plans a leave from the notices, the hooks and the mark. Pure. */
export function planLeave(input: LeavePlanInput): LeavePlan {
  const { now, subject, settings, waits, hooks, mark } = input;
  const hook = waits ? hookOfWait(input) : undefined;
  const reasons = subject.notices.filter((notice): notice is Reason =>
    isReason(notice, { waits, drainOnRebalance: settings.drainOnRebalance }),
  );
  // While the node waits for its replacement its drain has not begun, so the drain timeout does not run.
  const since = mark && mark.awaiting === undefined ? Date.parse(mark.since) : now;
  const markedAt = mark ? Date.parse(mark.awaitedSince ?? mark.since) : now;
  const began = Math.min(markedAt, ...reasons.filter(datesLeave).map(noticedAt));
  const wait = hook && {
    since: waitingSince(subject.notices, began),
    globalTimeoutSeconds: hook.globalTimeoutSeconds,
  };
  const waitEndsAt = hook && input.isDenied ? endOfDeniedWait(input, hook) : undefined;
  const deadlines = leavingDeadlines({
    since,
    drainTimeoutSeconds: settings.drainTimeoutSeconds,
    wait,
    noticeDeadline: Math.min(waitEndsAt ?? Infinity, ...reasons.map((notice) => deadlineOf(notice, now))),
  });
  return {
    cause: causeOf(reasons, input),
    ...(hook && { hook, action: actionOf(input, hook) }),
    onFailure: findTerminatingHook(hooks, input.etcdHookName) ? 'CONTINUE' : settings.onFailure,
    since,
    deadlines,
    ...(waitEndsAt !== undefined && { waitEndsAt }),
    ...(wait && { latestStart: latestStart(input, wait) }),
    mustHurry:
      waitEndsAt !== undefined ||
      reasons.some((notice) => deadlineOf(notice, now) < Infinity) ||
      (wait !== undefined && now >= latestStart(input, wait)),
  };
}

/**
 * When a wait ends by itself whose heartbeats AWS denies: a timeout after the last heartbeat that AWS has surely accepted. The mark is
 * renewed as often as heartbeats are sent, so one was accepted within the interval before. The first finding is kept in the mark.
 */
function endOfDeniedWait({ now, mark, subject }: LeavePlanInput, hook: LifecycleHook): number {
  if (mark?.waitEndsAt !== undefined) return Date.parse(mark.waitEndsAt);
  const notices = subject.notices
    .filter(({ cause }) => cause === 'terminating' || cause === 'swept')
    .filter(datesLeave);
  const interval = heartbeatIntervalSeconds(hook.heartbeatTimeoutSeconds) * 1000;
  const renewals = mark?.renewedAt ? [Date.parse(mark.renewedAt) - interval] : [];
  const accepted = [...notices.map(noticedAt), ...renewals];
  return (accepted.length > 0 ? Math.max(...accepted) : now) + hook.heartbeatTimeoutSeconds * 1000;
}

/** Our hook with the shortest timeout that was seen in this wait: AWS does not document which timeout applies after a change. */
function hookOfWait({ hooks, leavingHookName, mark }: LeavePlanInput): LifecycleHook | undefined {
  const hook = findTerminatingHook(hooks, leavingHookName);
  const seen = mark?.heartbeatTimeoutSeconds;
  if (!hook || seen === undefined || seen >= hook.heartbeatTimeoutSeconds) return hook;
  const globalTimeoutSeconds = Math.min(hook.globalTimeoutSeconds, globalTimeoutSecondsOf(seen));
  return { ...hook, heartbeatTimeoutSeconds: seen, globalTimeoutSeconds };
}

/**
 * When a drain has to begin so that its full timeout fits before the hook's global timeout ends the wait. A drain timeout of more than
 * half of the wait counts as half, so that there is time for turns.
 */
function latestStart(
  { settings }: LeavePlanInput,
  { since, globalTimeoutSeconds }: { readonly since: number; readonly globalTimeoutSeconds: number },
): number {
  const drainSeconds = Math.min(settings.drainTimeoutSeconds, globalTimeoutSeconds / 2);
  return since + (globalTimeoutSeconds - drainSeconds) * 1000;
}

/**
 * When the wait began: exactly at the latest terminate action. Without one, the wait may have begun at any time since the leave did,
 * so the beginning of the leave is the safe choice.
 */
function waitingSince(notices: readonly LeavingNotice[], leavingSince: number): number {
  const actions = notices
    .filter(({ cause }) => cause === 'terminating')
    .filter(datesLeave)
    .map(noticedAt);
  return actions.length === 0 ? leavingSince : Math.max(...actions);
}

/** The cause with the earliest deadline. Without a deadline it is `terminating` for an instance in Terminating:Wait. */
function causeOf(reasons: readonly Reason[], { now, waits }: LeavePlanInput): ReasonToLeave {
  const urgent = mostUrgent(reasons, now);
  if (urgent && deadlineOf(urgent, now) < Infinity) return urgent.cause;
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

/**
 * Whether the time of a notice may put the start of the leave into the past. Each action of Auto Scaling has a token. One without is
 * words of some publisher, and an old time in it would have the pods forced at once if the instance really leaves.
 */
export const datesLeave = ({ cause, hook }: LeavingNotice): boolean =>
  cause !== 'terminating' || hook?.lifecycleActionToken !== undefined;

const noticedAt = (notice: LeavingNotice): number => Date.parse(notice.noticedAt);
