import type { LifecycleAction } from '../groups/group.ts';

/** An instance with the notices about it, some of which name the hook that it waits on. */
interface NoticedSubject {
  readonly instanceId: string;
  readonly notices: readonly {
    readonly noticedAt: string;
    readonly hook?: Omit<LifecycleAction, 'instanceId'> | undefined;
  }[];
}

/** The action on a hook that the latest of these notices names; undefined where none does. */
export function noticedAction(
  { instanceId, notices }: NoticedSubject,
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
