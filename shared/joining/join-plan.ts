import type { GroupInstance, LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { hookLimit } from '../groups/hook-timing.ts';
import { noticedAction } from '../passes/hook-notice.ts';
import type { JoiningSubject } from './context.ts';
import type { JoiningSettings } from './settings.ts';

/** The wait of an instance on our hook, and when it should be ready. Times are epoch milliseconds. */
export interface JoinPlan {
  readonly hook: LifecycleHook;
  readonly action: LifecycleAction;
  readonly since: number;
  readonly deadlines: {
    /** The end of the join timeout: the instance should be ready by then. Never later than `limit`. */
    readonly deadline: number;
    /** When the global timeout of the hook ends the wait, less a margin. */
    readonly limit: number;
  };
}

interface JoinPlanInput {
  readonly subject: JoiningSubject;
  readonly instance: Pick<GroupInstance, 'autoScalingGroupName'>;
  readonly settings: JoiningSettings;
  readonly hook: LifecycleHook;
}

/** Plans a join from the notices and the hook. */
export function planJoin({ subject, instance, settings, hook }: JoinPlanInput): JoinPlan {
  const { lifecycleHookName, globalTimeoutSeconds } = hook;
  const since = waitingSince(subject);
  const limit = hookLimit({ since, globalTimeoutSeconds });
  return {
    hook,
    action: {
      ...noticedAction(subject, lifecycleHookName),
      autoScalingGroupName: instance.autoScalingGroupName,
      lifecycleHookName,
      instanceId: subject.instanceId,
    },
    since,
    deadlines: { limit, deadline: Math.min(limit, since + settings.joinTimeoutSeconds * 1000) },
  };
}

/**
 * The wait began with the latest launch action, because an earlier one was for another wait of the instance. The sweep knows only when it
 * found the instance: a deadline that is too late is safer than one that has already passed.
 */
function waitingSince({ notices }: JoiningSubject): number {
  const timesOf = (cause: string) =>
    notices.filter((notice) => notice.cause === cause).map(({ noticedAt }) => Date.parse(noticedAt));
  const launching = timesOf('launching');
  return launching.length > 0 ? Math.max(...launching) : Math.min(...timesOf('swept'));
}
