import type {
  AutoScalingGroup,
  GroupInstance,
  LifecycleAction,
  LifecycleHook,
} from '../../lifecycle/group.ts';
import type { LeavingSettings } from '../../lifecycle/group-settings.ts';
import { type LeavingDeadlines, leavingDeadlines } from '../../lifecycle/hook-timing.ts';
import type { LeavingCause, LeavingNotice } from '../../lifecycle/notice.ts';
import { isReason } from './situation.ts';
import type { LeavingSubject } from './world.ts';

/** An instance that really leaves, and the terms on which it does. */
export interface LeaveTerms {
  readonly instance: GroupInstance;
  readonly group: AutoScalingGroup;
  readonly settings: LeavingSettings;
  readonly cause: LeavingCause;
  /** Our hook on the group, when the instance waits on it. */
  readonly hook?: LifecycleHook;
  readonly action?: LifecycleAction;
  readonly etcdHookStands: boolean;
  readonly toWarmPool: boolean;
  /** Epoch milliseconds of the first notice that is a reason to leave: the drain timeout runs from here. */
  readonly since: number;
  /** Of the first notice of any kind. */
  readonly toldAt: number;
  readonly deadlines: LeavingDeadlines;
  /** EC2 takes the instance whether we are ready or not: no waiting for a turn. */
  readonly mustHurry: boolean;
}

export interface TermsInput {
  readonly now: number;
  readonly subject: LeavingSubject;
  readonly instance: GroupInstance;
  readonly group: AutoScalingGroup;
  readonly settings: LeavingSettings;
  readonly waits: boolean;
  readonly toWarmPool: boolean;
  readonly hooks: readonly LifecycleHook[];
  readonly leavingHookName: string;
  readonly etcdHookName: string;
  /** When the Node was first marked as leaving, if it is: survives the message. */
  readonly markedSince?: number;
}

/** The terms of a leave: which hook it waits on, since when, until when. Pure. */
export function termsOf(input: TermsInput): LeaveTerms {
  const terminating = input.hooks.filter((hook) => hook.transition === 'terminating');
  const hook = input.waits
    ? terminating.find((candidate) => candidate.lifecycleHookName === input.leavingHookName)
    : undefined;
  const reasons = reasonsOf(input);
  const since = Math.min(input.markedSince ?? Infinity, earliest(reasons) ?? input.now);
  const noticeDeadline = Math.min(...reasons.map(deadlineOf));
  return {
    instance: input.instance,
    group: input.group,
    settings: input.settings,
    cause: causeOf(reasons, input),
    ...(hook && { hook, action: actionOf(input, hook) }),
    etcdHookStands: terminating.some((other) => other.lifecycleHookName === input.etcdHookName),
    toWarmPool: input.toWarmPool,
    since,
    toldAt: earliest(input.subject.notices) ?? since,
    deadlines: leavingDeadlines({
      since,
      drainTimeoutSeconds: input.settings.drainTimeoutSeconds,
      ...(hook && {
        wait: { since: waitingSince(input, since), globalTimeoutSeconds: hook.globalTimeoutSeconds },
      }),
      ...(noticeDeadline < Infinity && { noticeDeadline }),
    }),
    mustHurry: reasons.some(isHurried),
  };
}

const reasonsOf = ({ subject, waits, settings }: TermsInput): readonly LeavingNotice[] =>
  subject.notices.filter((notice) =>
    isReason(notice, { waits, drainOnRebalance: settings.drainOnRebalance }),
  );

/**
 * When the wait began: Auto Scaling's own word is exact, and the latest one is about this wait. Where only the sweep or nobody
 * has told of it, it may have begun at any time since the leave did, and the beginning of that is the safe guess.
 */
function waitingSince({ subject }: TermsInput, since: number): number {
  const told = subject.notices.filter(({ cause }) => cause === 'terminating').map(noticedAt);
  return told.length === 0 ? since : Math.max(...told);
}

/** The most urgent of the causes; `terminating` for whatever else waits in Terminating:Wait. */
function causeOf(reasons: readonly LeavingNotice[], { waits }: TermsInput): LeavingCause {
  const urgent = reasons.toSorted((one, other) => deadlineOf(one) - deadlineOf(other))[0];
  if (urgent && deadlineOf(urgent) < Infinity) return urgent.cause;
  return waits ? 'terminating' : (urgent?.cause ?? 'swept');
}

function actionOf({ subject, instance }: TermsInput, hook: LifecycleHook): LifecycleAction {
  const token = subject.notices
    .filter((notice) => notice.hook?.lifecycleHookName === hook.lifecycleHookName)
    .toSorted((one, other) => noticedAt(other) - noticedAt(one))
    .find((notice) => notice.hook?.lifecycleActionToken)?.hook?.lifecycleActionToken;
  return {
    autoScalingGroupName: instance.autoScalingGroupName,
    lifecycleHookName: hook.lifecycleHookName,
    instanceId: instance.instanceId,
    ...(token && { lifecycleActionToken: token }),
  };
}

const noticedAt = (notice: LeavingNotice): number => Date.parse(notice.noticedAt);

const earliest = (notices: readonly LeavingNotice[]): number | undefined =>
  notices.length === 0 ? undefined : Math.min(...notices.map(noticedAt));

const deadlineOf = (notice: LeavingNotice): number =>
  notice.deadline === undefined ? Infinity : Date.parse(notice.deadline);

const isHurried = (notice: LeavingNotice): boolean =>
  notice.cause === 'spot-interruption' || notice.cause === 'capacity-reservation';
