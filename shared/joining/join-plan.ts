import type { GroupInstance, LifecycleAction, LifecycleHook } from '../groups/group.ts';
import { hookLimit } from '../groups/hook-timing.ts';
import { noticedAction } from '../passes/hook-notice.ts';
import type { JoiningSubject } from './context.ts';
import type { JoiningSettings } from './settings.ts';

/** Since when an instance waits on our hook, and until when it should be ready. Epoch milliseconds. */
export interface JoinPlan {
  readonly hook: LifecycleHook;
  readonly action: LifecycleAction;
  readonly since: number;
  readonly deadlines: {
    /** The operator's: a node that joins does so until here. Never later than `limit`. */
    readonly deadline: number;
    /** The hook's global timeout ends the wait here, less a margin. */
    readonly limit: number;
  };
}

export interface JoinPlanInput {
  readonly subject: JoiningSubject;
  readonly instance: Pick<GroupInstance, 'autoScalingGroupName'>;
  readonly settings: JoiningSettings;
  readonly hook: LifecycleHook;
}

/** Plans a join from the notices and the hook. Pure. */
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
 * The latest launch action tells when the wait began: an earlier one was for another wait of the instance. The sweep only knows when it
 * found the instance. A deadline that comes late is safer than one that is past at once.
 */
function waitingSince({ notices }: JoiningSubject): number {
  const timesOf = (cause: string) =>
    notices.filter((notice) => notice.cause === cause).map(({ noticedAt }) => Date.parse(noticedAt));
  const launching = timesOf('launching');
  return launching.length > 0 ? Math.max(...launching) : Math.min(...timesOf('swept'));
}
