import type { LifecycleAction } from '../../lifecycle/group.ts';
import type { LeavingSubject } from './context.ts';

/** The action on a hook that the latest of these notices names; undefined where none does. */
export function noticedAction(
  { instanceId, notices }: LeavingSubject,
  lifecycleHookName: string,
): LifecycleAction | undefined {
  const [latest] = notices
    .flatMap(({ hook, noticedAt }) =>
      hook?.lifecycleHookName === lifecycleHookName ? [{ ...hook, noticedAt }] : [],
    )
    .toSorted(
      (one, other) =>
        order(one.lifecycleActionToken) - order(other.lifecycleActionToken) ||
        Date.parse(other.noticedAt) - Date.parse(one.noticedAt),
    );
  if (!latest) return undefined;
  const { autoScalingGroupName, lifecycleActionToken } = latest;
  return {
    autoScalingGroupName,
    lifecycleHookName,
    instanceId,
    ...(lifecycleActionToken && { lifecycleActionToken }),
  };
}

/** Notices with a token come first. */
const order = (token: string | undefined): number => (token ? 0 : 1);
