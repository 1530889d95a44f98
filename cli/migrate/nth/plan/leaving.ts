import type { LifecycleHook } from '../../../../shared/groups/group.ts';

export interface Member {
  readonly instanceId: string;
  readonly lifecycleState: string;
}

/**
 * The instances that a hook of one of these transitions holds, or may hold in a moment. After `Proceed` no hook holds an instance any more. An
 * unknown wait may be one of either. Pure.
 */
export const membersHeldBy = (
  instances: readonly Member[],
  transitions: readonly LifecycleHook['transition'][],
): readonly Member[] =>
  instances.filter(({ lifecycleState: state }) =>
    isLaunching(state)
      ? transitions.includes('launching')
      : isLeaving(state)
        ? transitions.includes('terminating') && !/:Proceed$|Terminated$/.test(state)
        : state.endsWith(':Wait'),
  );

export const wordsOf = ({ instanceId, lifecycleState }: Member): string =>
  `${instanceId} is in ${lifecycleState}`;

const isLaunching = (state: string): boolean => /(?:^|:)Pending(?::|$)/.test(state);

/** Whether the instance ends, so that the handler may drain its node now. */
export const isLeaving = (state: string): boolean => /(?:^|:)Terminat(?:ing|ed)(?::|$)/.test(state);
